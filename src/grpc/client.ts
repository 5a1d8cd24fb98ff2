// A gRPC client on a unix socket. Every call takes an AbortSignal and rejects with a DriverError.
import { type CallOptions, type Client, type CompatServiceDefinition, createChannel, createClientFactory } from "nice-grpc";
import { clientErrorMiddleware } from "./error-middleware.ts";
import { shortSocketPath, socketPathOf } from "./socket-path.ts";

export interface GrpcClient<Definition extends CompatServiceDefinition> extends Disposable {
  readonly call: Client<Definition, CallOptions>;
  close(): void;
}

export interface ConnectOptions {
  /** unix:///path, or the path alone. */
  readonly endpoint: string;
  readonly maxReceiveBytes?: number;
}

export function connect<Definition extends CompatServiceDefinition>(definition: Definition, options: ConnectOptions): GrpcClient<Definition> {
  const short = shortSocketPath(socketPathOf(options.endpoint));
  const channel = createChannel(`unix://${short.path}`, undefined, {
    "grpc.max_receive_message_length": options.maxReceiveBytes ?? 16 * 1024 * 1024,
    // The peer is on this machine: it is there again within milliseconds of its restart, and asking costs nothing.
    "grpc.initial_reconnect_backoff_ms": 20,
    "grpc.max_reconnect_backoff_ms": 1000,
    "grpc.enable_http_proxy": 0,
  });
  const close = () => {
    channel.close();
    short.release();
  };
  return { call: createClientFactory().use(clientErrorMiddleware).create(definition, channel), close, [Symbol.dispose]: close };
}
