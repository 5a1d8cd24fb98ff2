// Our errors on the wire: the status that gRPC knows, the message with its causes, and beside them our own code, so that a client of ours
// gets back exactly what was thrown.
import { type CallContext, type ClientMiddleware, ClientError, ServerError, type ServerMiddlewareCall } from "nice-grpc";
import { DriverError, explain, toDriverError } from "../core/errors.ts";
import { codeOfGrpcStatus, errorCodeNamed, GrpcStatus, grpcStatusOf } from "../core/grpc-status.ts";

const codeKey = "s3csi-error-code";
const errnoKey = "s3csi-error-errno";
const retryableKey = "s3csi-error-retryable";

export async function* errorMiddleware<Request, Response>(
  call: ServerMiddlewareCall<Request, Response>,
  context: CallContext,
): AsyncGenerator<Response, Response | void, undefined> {
  try {
    return yield* call.next(call.request, context);
  } catch (thrown) {
    if (thrown instanceof ServerError) throw thrown;
    const error = toDriverError(thrown);
    context.trailer.set(codeKey, error.code);
    if (error.errno !== undefined) context.trailer.set(errnoKey, String(error.errno));
    if (error.retryable) context.trailer.set(retryableKey, "true");
    throw new ServerError(grpcStatusOf(error), explain(error));
  }
}

/** A call that fails rejects with a DriverError; one that was aborted, with what its signal's reason says. */
export const clientErrorMiddleware: ClientMiddleware = async function* clientErrors(call, options) {
  const trailer = new Map<string, string>();
  const onTrailer: typeof options.onTrailer = (received) => {
    for (const key of [codeKey, errnoKey, retryableKey]) {
      const value = received.get(key);
      if (typeof value === "string") trailer.set(key, value);
    }
    options.onTrailer?.(received);
  };
  try {
    return yield* call.next(call.request, { ...options, onTrailer });
  } catch (thrown) {
    if (options.signal?.aborted) throw toDriverError(options.signal.reason);
    if (!(thrown instanceof ClientError)) throw toDriverError(thrown);
    const errno = trailer.get(errnoKey);
    // Not with the gRPC error as its cause: that only says the same again, with the call's path before it.
    throw new DriverError(errorCodeNamed(trailer.get(codeKey) ?? "") ?? codeOfGrpcStatus(thrown.code), thrown.details, {
      retryable: trailer.has(retryableKey) || thrown.code === GrpcStatus.UNAVAILABLE,
      ...(errno === undefined ? {} : { errno: Number(errno) }),
    });
  }
};
