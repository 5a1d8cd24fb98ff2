// The SDK's client, made on first use: loading it takes longer than everything else at start-up together.
import type { S3Client } from "@aws-sdk/client-s3";
import { toDriverError } from "../core/errors.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { defaultMaxAttempts } from "./connection-options.ts";
import type { CredentialsSource } from "./credentials.ts";
import { baseUrl } from "./endpoint.ts";
import { type Failure, type FailureContext, failureOfStoreError, failureOfThrown } from "./failure.ts";
import { TransportError } from "./http/message.ts";
import { AttemptFailed, withRetries } from "./retry.ts";
import { SdkHandler } from "./sdk-handler.ts";

type SdkModule = typeof import("@aws-sdk/client-s3");

export interface Sdk {
  /** Runs the call, with our retries and our errors. */
  run<T>(context: Omit<FailureContext, "endpoint">, call: (client: S3Client, commands: SdkModule) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** The region may turn out to be another one while it is in use. */
export function createSdk(options: ConnectionOptions, credentials: CredentialsSource, region: () => string = () => options.region): Sdk {
  let loading: Promise<{ client: S3Client; commands: SdkModule }> | undefined;
  const endpoint = baseUrl(options, "").origin;
  return {
    run: async (context, call, signal) => {
      loading ??= load(options, credentials, region);
      const { client, commands } = await loading;
      return withRetries({ maxAttempts: options.maxAttempts ?? defaultMaxAttempts, signal }, async () => {
        try {
          return await call(client, commands);
        } catch (thrown) {
          if (signal?.aborted) throw toDriverError(signal.reason);
          throw new AttemptFailed(failureOfSdk(thrown, { ...context, endpoint }));
        }
      });
    },
    close: async () => {
      if (loading) (await loading).client.destroy();
    },
  };
}

async function load(options: ConnectionOptions, credentials: CredentialsSource, region: () => string) {
  const commands = await import("@aws-sdk/client-s3");
  const config = {
    region: async () => region(),
    ...(options.endpointUrl === undefined ? {} : { endpoint: options.endpointUrl }),
    forcePathStyle: options.pathStyle ?? false,
    useDualstackEndpoint: options.dualStack ?? false,
    useAccelerateEndpoint: options.accelerate ?? false,
    maxAttempts: 1,
    followRegionRedirects: true,
    requestHandler: new SdkHandler(options),
    credentials: async () => {
      const found = await credentials.get();
      return found ? { ...found, ...(found.expiresMs === undefined ? {} : { expiration: new Date(found.expiresMs) }) } : { accessKeyId: "", secretAccessKey: "" };
    },
    // The source keeps them; a copy here would outlive a change.
    ...((await credentials.get()) ? {} : { signer: { sign: async <T>(request: T) => request } }),
  };
  return { client: new commands.S3Client(config), commands };
}

function failureOfSdk(thrown: unknown, context: FailureContext): Failure {
  if (thrown instanceof TransportError) return failureOfThrown(thrown, context);
  const error = thrown as { name?: string; Code?: string; message?: string; $metadata?: { httpStatusCode?: number }; $response?: { headers?: Record<string, string> } } & Record<string, unknown>;
  const status = error?.$metadata?.httpStatusCode;
  if (status === undefined) return failureOfThrown(thrown, context);
  const text = (name: string) => (typeof error[name] === "string" ? (error[name] as string) : undefined);
  // The SDK makes names up where the reply had no document.
  const made = error.name === undefined || /^(\d+|UnknownError|Unknown|Error|NotFound)$/.test(error.name);
  return failureOfStoreError(
    {
      status,
      code: made ? (error.Code ?? "") : (error.name ?? ""),
      message: made ? "" : (error.message ?? ""),
      serverTime: text("ServerTime"),
      requestTime: text("RequestTime"),
      retryAfter: error.$response?.headers?.["retry-after"],
    },
    context,
  );
}
