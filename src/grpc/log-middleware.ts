// One line a call: what was asked (at debug, without secrets), how it ended and how long it took.
import { type CallContext, ServerError, type ServerMiddleware, type ServerMiddlewareCall } from "nice-grpc";
import { grpcStatusName } from "../core/grpc-status.ts";
import type { Logger } from "../core/log.ts";

/** Called every few seconds by kubelet and the sidecars: of interest only when they fail. */
const routine = /\/(Probe|GetPluginInfo|GetPluginCapabilities|NodeGetCapabilities|ControllerGetCapabilities|NodeGetInfo|NodeGetVolumeStats|Status)$/;

export function logMiddleware(logger: Logger): ServerMiddleware {
  return async function* log<Request, Response>(
    call: ServerMiddlewareCall<Request, Response>,
    context: CallContext,
  ): AsyncGenerator<Response, Response | void, undefined> {
    const started = performance.now();
    const bound = logger.with({ rpc: call.method.path });
    const elapsed = () => Math.round(performance.now() - started);
    if (logger.enabled("debug") && !call.requestStream) bound.debug("gRPC call", { request: call.request });
    try {
      const response = yield* call.next(call.request, context);
      bound[routine.test(call.method.path) ? "trace" : "info"]("gRPC call done", { ms: elapsed() });
      return response;
    } catch (error) {
      const status = error instanceof ServerError ? grpcStatusName(error.code) : "UNKNOWN";
      bound.warn("gRPC call failed", { ms: elapsed(), status, error });
      throw error;
    }
  };
}
