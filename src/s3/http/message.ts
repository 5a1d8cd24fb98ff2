// A request and a reply of our own HTTP/1.1 client.

export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  /** Host and Content-Length included. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: readonly Uint8Array[];
  /** Where a good reply's (2xx) body goes when its length is exactly this one; others are collected. */
  readonly into?: Uint8Array;
  readonly onProgress?: (filled: number) => void;
  /** Sending it twice does no harm. */
  readonly idempotent: boolean;
  /** So much longer than others it may be without the first byte of its reply. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** `into`, when it was filled; else what was collected. */
  readonly body: Uint8Array;
}

/** A failure below HTTP. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly kind: "connect" | "tls" | "proxy" | "reset" | "timeout" | "protocol" | "truncated";
  /** Not one byte of the request was handed to the kernel for a working connection: it can be sent again whatever it is. */
  readonly unsent: boolean;

  constructor(kind: TransportError["kind"], message: string, options: { unsent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.unsent = options.unsent;
  }
}
