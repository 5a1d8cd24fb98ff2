// Whose name requests are signed in. A source is asked before every request and answers from memory unless its credentials
// ran out or their file changed; it can be exchanged while the store works (SwappableCredentials).

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiresMs?: number;
  /** Of a directory bucket (CreateSession): its token goes by another name. */
  readonly isBucketSession?: boolean;
}

export interface CredentialsSource {
  /** Undefined: do not sign. */
  get(signal?: AbortSignal): Credentials | undefined | Promise<Credentials | undefined>;
  /** The store has refused what get() gave: do not answer from memory the next time. */
  doubt?(): void;
  /** For people: "static keys", "profile default in /comm/credentials". Never a secret. */
  readonly description: string;
}

export const anonymousCredentials: CredentialsSource = { description: "anonymous", get: () => undefined };

export function staticCredentials(credentials: Credentials): CredentialsSource {
  return { description: "static keys", get: () => credentials };
}

/** A source that can be exchanged for another one at any time. */
export class SwappableCredentials implements CredentialsSource {
  #source: CredentialsSource;

  constructor(source: CredentialsSource) {
    this.#source = source;
  }

  get description(): string {
    return this.#source.description;
  }

  get(signal?: AbortSignal): Credentials | undefined | Promise<Credentials | undefined> {
    return this.#source.get(signal);
  }

  doubt(): void {
    this.#source.doubt?.();
  }

  swap(source: CredentialsSource): void {
    this.#source = source;
  }
}
