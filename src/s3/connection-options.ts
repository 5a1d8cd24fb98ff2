// How to reach a store: the same for the data path and for the SDK's control calls.

export interface ConnectionOptions {
  readonly region: string;
  /** The user asked for this region: a bucket elsewhere is an error, not followed. */
  readonly regionFixed?: boolean;
  /** https://host:port; without it, AWS's own for the region. */
  readonly endpointUrl?: string;
  /** https://host/bucket/key instead of https://bucket.host/key. Always so where the host is an address. */
  readonly pathStyle?: boolean;
  readonly dualStack?: boolean;
  readonly accelerate?: boolean;
  readonly requesterPays?: boolean;
  /** The account that must own the bucket. */
  readonly expectedBucketOwner?: string;
  /** A file of PEM certificates, trusted beside the well-known ones. */
  readonly caBundle?: string;
  /** 10 unless told. */
  readonly maxAttempts?: number;
  readonly userAgentPrefix?: string;
  /** Connections kept at most; 64 unless told. */
  readonly maxConnections?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up; nowhere unless told. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
  /** Sign the SHA-256 of bodies instead of relying on their checksum, for stores that insist on it. */
  readonly signPayload?: boolean;
}

export interface Timeouts {
  /** To a connection, TLS included. */
  readonly connectMs: number;
  /** From the end of the request to the first byte of the reply. */
  readonly firstByteMs: number;
  /** Between two signs of life within a body. */
  readonly idleMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 15_000 };
export const defaultMaxAttempts = 10;
