// Requests that came to the wrong region, answered as S3 does: 400 with the region that was expected when the endpoint is right
// and the signature is for another one, 301 with the bucket's region when the bucket is elsewhere.
import { S3Error } from "./s3-error.ts";
import type { Bucket } from "./state.ts";

export interface Regions {
  /** Undefined for a request without a signature. */
  readonly signed: string | undefined;
  /** Undefined for an endpoint that serves all of them. */
  readonly endpoint: string | undefined;
  readonly bucket: Bucket | undefined;
}

export function checkRegion({ signed, endpoint, bucket }: Regions): void {
  if (signed !== undefined && endpoint !== undefined && signed !== endpoint)
    throw new S3Error(
      400,
      "AuthorizationHeaderMalformed",
      `The authorization header is malformed; the region '${signed}' is wrong; expecting '${endpoint}'`,
      { Region: endpoint },
      { "x-amz-bucket-region": endpoint },
    );
  const asked = endpoint ?? signed;
  if (!bucket?.region || asked === bucket.region) return;
  throw new S3Error(
    301,
    "PermanentRedirect",
    "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.",
    { Endpoint: `${bucket.name}.s3.${bucket.region}.amazonaws.com`, Bucket: bucket.name },
    { "x-amz-bucket-region": bucket.region },
  );
}
