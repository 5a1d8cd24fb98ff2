// Generated from proto/csi.proto, proto/mountpoint.proto, proto/pluginregistration.proto by `npm run codegen`. Do not edit: change the source and run it again.

/** Fields marked csi_secret or secret, as they are called in the protocol and in TypeScript. Never log one. */
export const secretFields: readonly string[] = [
  "accessKeyId",
  "access_key_id",
  "secretAccessKey",
  "secret_access_key",
  "secrets",
  "sessionToken",
  "session_token"
];
