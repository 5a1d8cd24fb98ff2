// What a test needs to know of an S3 server, whichever it is.
import { secretMark } from "../../scripts/test/secrets/mark.ts";

export interface S3Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Server extends S3Account, AsyncDisposable {
  readonly endpoint: string;
  readonly region: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Long enough for every server's rules; worth nothing outside a test. */
export const testAccount: S3Account = { accessKeyId: `TESTACCESSKEY${secretMark}`, secretAccessKey: `test-secret-for-loopback-only-${secretMark}` };
