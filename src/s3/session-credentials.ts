// Directory buckets (S3 Express) want requests signed by a session: short-lived keys for that one bucket, got with CreateSession.
// Renewed before they end, without anybody waiting; got anew when the keys behind them change or the store no longer takes them.
import { hasCode } from "../core/errors.ts";
import type { Credentials, CredentialsSource } from "./credentials.ts";

/** Sessions last five minutes: with this much left, the next one is fetched while this one is used on. */
const renewMs = 90_000;
/** With this much left, a request may arrive too late. */
const lateMs = 15_000;

export interface SessionOptions {
  readonly base: CredentialsSource;
  /** One attempt at CreateSession, signed with these. */
  readonly create: (credentials: Credentials) => Promise<Credentials>;
  readonly now?: () => number;
}

export class SessionCredentials implements CredentialsSource {
  readonly #options: SessionOptions;
  readonly #now: () => number;
  #session: Credentials | undefined;
  /** The key that the session was got with. */
  #baseKey: string | undefined;
  #coming: Promise<Credentials> | undefined;
  /** The store knows no sessions; the plain keys must do. */
  #unknown = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get description(): string {
    return `a session of ${this.#options.base.description}`;
  }

  async get(signal?: AbortSignal): Promise<Credentials | undefined> {
    const base = await this.#options.base.get(signal);
    if (!base || this.#unknown) return base;
    if (base.accessKeyId !== this.#baseKey) this.#forget();
    this.#baseKey = base.accessKeyId;
    const left = (this.#session?.expiresMs ?? 0) - this.#now();
    if (this.#session && left > renewMs) return this.#session;
    const coming = this.#renew(base);
    if (!this.#session || left <= lateMs) return coming;
    // It is good for some time yet, and the next request asks again.
    coming.catch(() => {});
    return this.#session;
  }

  doubt(): void {
    this.#forget();
    this.#options.base.doubt?.();
  }

  #forget(): void {
    this.#session = undefined;
    this.#coming = undefined;
  }

  /** Once for all who wait; what was asked for with other keys is not kept. */
  #renew(base: Credentials): Promise<Credentials> {
    if (this.#coming) return this.#coming;
    const coming = this.#create(base).then(
      (session) => {
        if (this.#coming === coming) [this.#session, this.#coming] = [session, undefined];
        return session;
      },
      (error: unknown) => {
        if (this.#coming === coming) this.#coming = undefined;
        throw error;
      },
    );
    this.#coming = coming;
    return coming;
  }

  async #create(base: Credentials): Promise<Credentials> {
    try {
      return await this.#options.create(base);
    } catch (error) {
      if (hasCode(error, "BadCredentials")) return this.#createAnew(base, error);
      if (!hasCode(error, "Unimplemented")) throw error;
      this.#unknown = true;
      return base;
    }
  }

  /** Keys may have been rotated between our last look and this. */
  async #createAnew(refused: Credentials, error: unknown): Promise<Credentials> {
    this.#options.base.doubt?.();
    const base = await this.#options.base.get();
    if (!base || base.accessKeyId === refused.accessKeyId) throw error;
    this.#baseKey = base.accessKeyId;
    return this.#options.create(base);
  }
}

/** As S3 names them: base-name--zone--x-s3. */
export function directoryBucketZone(bucket: string): string | undefined {
  return /--([a-z0-9]+(?:-[a-z0-9]+)+)--x-s3$/.exec(bucket)?.[1];
}
