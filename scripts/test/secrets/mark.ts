// Every S3 key and token that the tests use has this text in it, so that wherever one has got to, it is recognised.
import { randomBytes } from "node:crypto";

/** Letters only: no escaping, quoting or encoding of URLs changes it. */
export const secretMark = "LEAKMARK";

/** A key of a test's own; name: capital letters and digits. */
export function markedKey(name: string): { readonly accessKeyId: string; readonly secretAccessKey: string } {
  return { accessKeyId: `${name}${secretMark}`, secretAccessKey: markedSecret() };
}

export function markedSecret(bytes = 24): string {
  return secretMark + randomBytes(bytes).toString("base64url");
}

/** The text itself, and what of it is constant in base64, where it may begin at any of three places of a group. */
export function formsOf(mark: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from("-".repeat(before) + mark).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + mark.length) * 8) / 6));
  });
  return [mark, ...inBase64];
}
