// The embedded server as a program: prints one JSON line with its endpoint and the key it made up when it listens, ends on SIGTERM or when
// its standard input closes (so that it never outlives a test that died).
//   --port N --host H --bucket NAME... --latency-ms N --stream-bandwidth BYTES --tls-key FILE --tls-cert FILE --keep
//   --access-key-id ID (the secret comes from EMBEDDED_S3_SECRET_ACCESS_KEY)
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startEmbeddedS3 } from "./server.ts";

const { values } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "0" },
    bucket: { type: "string", multiple: true, default: [] },
    "latency-ms": { type: "string", default: "0" },
    "stream-bandwidth": { type: "string", default: "0" },
    "tls-key": { type: "string" },
    "tls-cert": { type: "string" },
    "access-key-id": { type: "string" },
    domain: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});

const secret = process.env["EMBEDDED_S3_SECRET_ACCESS_KEY"];
const given = values["access-key-id"] && secret ? { accessKeyId: values["access-key-id"], secretAccessKey: secret } : undefined;
const server = await startEmbeddedS3({
  host: values.host,
  port: Number(values.port),
  buckets: values.bucket,
  latencyMs: Number(values["latency-ms"]),
  streamBandwidth: Number(values["stream-bandwidth"]),
  ...(values.domain === undefined ? {} : { domain: values.domain }),
  ...(values["tls-key"] && values["tls-cert"] ? { tls: { key: readFileSync(values["tls-key"], "utf8"), cert: readFileSync(values["tls-cert"], "utf8") } } : {}),
  ...(given ? { key: given } : {}),
});
const { accessKeyId, secretAccessKey } = server.key;
// A key that was given is known to whoever gave it, and in a pod this line is a log on disk.
process.stdout.write(`${JSON.stringify({ endpoint: server.endpoint, port: server.port, ...(given ? {} : { accessKeyId, secretAccessKey }) })}\n`);

const stop = () => server.stop().then(() => process.exit(0));
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
if (!values.keep) process.stdin.resume().once("end", stop);
