// Who may call: accounts, their access keys, and session tokens that end.
import { randomBytes } from "node:crypto";
import { markedSecret, secretMark } from "../../../scripts/test/secrets/mark.ts";

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiresMs?: number;
  /** Set by CreateSession: good for this bucket only. */
  readonly bucket?: string;
}

export interface Account {
  readonly id: string;
  readonly name: string;
}

export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #keys = new Map<string, { readonly key: AccessKey; readonly account: Account }>();

  /** A new account with one key; without a key given, a random one. */
  create(name: string, key: AccessKey = randomKey("AKIA")): { account: Account; key: AccessKey } {
    const account = this.#accounts.get(name) ?? { id: randomBytes(32).toString("hex"), name };
    this.#accounts.set(name, account);
    this.#keys.set(key.accessKeyId, { key, account });
    return { account, key };
  }

  /** A further key of the account that has a session token and, with ttlMs, an end. */
  createSession(account: Account, options: { ttlMs?: number; bucket?: string } = {}): AccessKey {
    const key: AccessKey = {
      ...randomKey("ASIA"),
      sessionToken: markedSecret(64),
      ...(options.ttlMs === undefined ? {} : { expiresMs: Date.now() + options.ttlMs }),
      ...(options.bucket === undefined ? {} : { bucket: options.bucket }),
    };
    this.#keys.set(key.accessKeyId, { key, account });
    return key;
  }

  /** From now on the key is unknown. */
  revoke(accessKeyId: string): void {
    this.#keys.delete(accessKeyId);
  }

  /** Those of CreateSession, all of them. */
  expireSessions(): void {
    for (const [id, { key, account }] of this.#keys) if (key.bucket !== undefined) this.#keys.set(id, { key: { ...key, expiresMs: 0 }, account });
  }

  find(accessKeyId: string): { readonly key: AccessKey; readonly account: Account } | undefined {
    return this.#keys.get(accessKeyId);
  }
}

function randomKey(start: string): AccessKey {
  return {
    accessKeyId: start + secretMark + randomBytes(4).toString("hex").toUpperCase(),
    secretAccessKey: markedSecret(),
  };
}
