// Where credentials come from when nobody says so: AWS's usual order.
import { homedir } from "node:os";
import path from "node:path";
import { type CredentialsSource, staticCredentials } from "./credentials.ts";
import { profileCredentials } from "./profile-credentials.ts";
import { sdkCredentials } from "./sdk-credentials.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function defaultCredentials(env: Env, profile?: string): CredentialsSource {
  const named = profile ?? env["AWS_PROFILE"];
  if (named !== undefined) return profileFrom(env, named);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env;
  if (accessKeyId && secretAccessKey) return staticCredentials({ accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) });
  if (env["AWS_WEB_IDENTITY_TOKEN_FILE"] && env["AWS_ROLE_ARN"]) return webIdentityCredentials(env);
  if (env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] || env["AWS_CONTAINER_CREDENTIALS_FULL_URI"])
    return sdkCredentials("the container's credentials service", (p) => p.fromContainerMetadata({ timeout: 2000, maxRetries: 3 }));
  const files = profileFrom(env, "default");
  if (env["AWS_EC2_METADATA_DISABLED"] === "true") return files;
  const instance = sdkCredentials("the instance's metadata service", (p) => p.fromInstanceMetadata({ timeout: 1000, maxRetries: 1 }));
  return firstOf(files, instance);
}

/** IRSA: a token that Kubernetes keeps fresh in a file, exchanged at STS for credentials. */
export function webIdentityCredentials(env: Env): CredentialsSource {
  const endpoint = env["AWS_ENDPOINT_URL_STS"];
  return sdkCredentials("the web identity token", (p) =>
    p.fromTokenFile({
      ...(env["AWS_WEB_IDENTITY_TOKEN_FILE"] === undefined ? {} : { webIdentityTokenFile: env["AWS_WEB_IDENTITY_TOKEN_FILE"] }),
      ...(env["AWS_ROLE_ARN"] === undefined ? {} : { roleArn: env["AWS_ROLE_ARN"] }),
      roleSessionName: env["AWS_ROLE_SESSION_NAME"] ?? "s3-csi",
      clientConfig: { region: env["AWS_REGION"] ?? "us-east-1", ...(endpoint === undefined ? {} : { endpoint }) },
    }),
  );
}

function profileFrom(env: Env, profile: string): CredentialsSource {
  const home = env["HOME"] ?? homedir();
  return profileCredentials({
    profile,
    credentialsFile: env["AWS_SHARED_CREDENTIALS_FILE"] ?? path.join(home, ".aws", "credentials"),
    configFile: env["AWS_CONFIG_FILE"] ?? path.join(home, ".aws", "config"),
  });
}

function firstOf(first: CredentialsSource, second: CredentialsSource): CredentialsSource {
  return {
    description: `${first.description}, else ${second.description}`,
    get: async (signal) => {
      try {
        return await first.get(signal);
      } catch (error) {
        return await Promise.resolve(second.get(signal)).catch(() => {
          throw error;
        });
      }
    },
  };
}
