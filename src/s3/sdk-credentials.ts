// Credentials by way of the SDK's providers (web identity, containers, instances, profiles with roles), kept until shortly
// before they run out and asked for once however many wait for them.
import { DriverError } from "../core/errors.ts";
import type { Credentials, CredentialsSource } from "./credentials.ts";

type Providers = typeof import("@aws-sdk/credential-providers");
type Provider = () => Promise<{ readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string; readonly expiration?: Date }>;

const renewBeforeMs = 5 * 60_000;
const retryAfterMs = 10_000;

export function sdkCredentials(description: string, choose: (providers: Providers) => Provider, now: () => number = Date.now): CredentialsSource {
  let provider: Provider | undefined;
  let current: Credentials | undefined;
  let asking: Promise<Credentials> | undefined;
  let askAgainMs = 0;

  const ask = async (): Promise<Credentials> => {
    try {
      provider ??= choose(await import("@aws-sdk/credential-providers"));
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provider();
      current = {
        accessKeyId,
        secretAccessKey,
        ...(sessionToken === undefined ? {} : { sessionToken }),
        ...(expiration === undefined ? {} : { expiresMs: expiration.getTime() }),
      };
      return current;
    } catch (error) {
      askAgainMs = now() + retryAfterMs;
      throw new DriverError("BadCredentials", `no credentials from ${description}: ${(error as Error).message}`, { cause: error });
    } finally {
      asking = undefined;
    }
  };

  return {
    description,
    get: () => {
      const left = current?.expiresMs === undefined ? Number.POSITIVE_INFINITY : current.expiresMs - now();
      if (current && left > renewBeforeMs) return current;
      // Good for a while yet: renewing must not hold up requests, nor may its failure.
      if (current && left > 0) {
        if (now() >= askAgainMs) asking ??= ask();
        asking?.catch(() => {});
        return current;
      }
      asking ??= ask();
      return asking;
    },
  };
}
