// npm run bench:s3 [-- --size-mib=1024]: the mount against the embedded S3 server, with what curl reaches beside it and s3fs as
// a peer where it is installed. Ratios mean more than rates: server, mount and load share the machine.
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createS3Store } from "../../../src/s3/client.ts";
import { staticCredentials } from "../../../src/s3/credentials.ts";
import { timed } from "./run.ts";
import { type BenchServer, startBenchServer } from "./server.ts";
import { ownMount, s3fsMount, type Subject } from "./subjects.ts";

const { values } = parseArgs({ options: { "size-mib": { type: "string", default: "1024" }, files: { type: "string", default: "1000" } } });
const sizeMiB = Number(values["size-mib"]);
const files = Number(values.files);
const bucket = "bench";
const randomRead = path.join(import.meta.dirname, "random-read.ts");

interface Row {
  readonly what: string;
  readonly who: string;
  readonly figure: string;
  readonly ofLimit: string;
  readonly cpu: string;
  readonly memory: string;
}
const rows: Row[] = [];

await using server = await startBenchServer({ buckets: [bucket] });
await fill(server);
const limits = await curlLimits(server);
for (const make of [() => ownMount(server, bucket), () => s3fsMount(server, bucket)]) {
  await using subject = await make();
  if (subject) await measure(subject, limits);
  else console.error("s3fs is not installed, so there is no peer (apt-get install s3fs)");
}
await using slow = await startBenchServer({ buckets: [bucket], latencyMs: 20 });
await fillTree(slow, 2000);
for (const make of [() => ownMount(slow, bucket), () => s3fsMount(slow, bucket)]) {
  await using subject = await make();
  if (subject) await measureListing(subject);
}
print();

async function measure(subject: Subject, limit: { readonly read: number; readonly write: number; readonly read4: number }): Promise<void> {
  const at = (name: string) => path.join(subject.mountPoint, name);
  await throughput(subject, "sequential read", sizeMiB, limit.read, `dd if=${at("big-0")} of=/dev/null bs=1M`);
  const four = [0, 1, 2, 3].map((i) => `dd if=${at(`quarter-${i}`)} of=/dev/null bs=1M & `).join("");
  await throughput(subject, "4 sequential reads at once", sizeMiB, limit.read4, `${four} wait`);
  await throughput(subject, "sequential write", sizeMiB / 2, limit.write, `dd if=/dev/zero of=${at(`written-${subject.name}`)} bs=1M count=${sizeMiB / 2}`);
  await rate(subject, "random 256 KiB reads", 200, `"${process.execPath}" ${randomRead} ${at("big-0")} 200 262144`);
  const folder = at(`small-${subject.name}`);
  await rate(subject, "small files written (4 KiB)", files, `mkdir ${folder} && for i in $(seq ${files}); do head -c 4096 /dev/zero > ${folder}/f$i || exit 1; done`);
  await rate(subject, "small files read (4 KiB)", files, `cat ${at("tree")}/d*/* > /dev/null`);
}

async function measureListing(subject: Subject): Promise<void> {
  const at = (name: string) => path.join(subject.mountPoint, name);
  await rate(subject, "ls -l of 2,000 files, 20 ms latency", 2000, `ls -l ${at("flat")} > /dev/null`);
  await rate(subject, "find over 20 folders, 20 ms latency", 2000, `find ${at("tree")} -type f -size +0 > /dev/null`);
}

async function throughput(subject: Subject, what: string, mebibytes: number, limit: number, command: string): Promise<void> {
  const cpu = subject.cpuSeconds();
  const reached = mebibytes / (await timed(command));
  const perGiB = ((subject.cpuSeconds() - cpu) / mebibytes) * 1024;
  add(subject, what, `${Math.round(reached)} MiB/s`, `${Math.round((reached / limit) * 100)} %`, `${perGiB.toFixed(2)} s/GiB`);
}

async function rate(subject: Subject, what: string, count: number, command: string): Promise<void> {
  const cpu = subject.cpuSeconds();
  const perSecond = count / (await timed(command));
  add(subject, what, `${Math.round(perSecond)} /s`, "", `${(((subject.cpuSeconds() - cpu) / count) * 1e6).toFixed(0)} µs each`);
}

function add(subject: Subject, what: string, figure: string, ofLimit: string, cpu: string): void {
  const { rssMiB, peakMiB } = subject.memory();
  rows.push({ what, who: subject.name, figure, ofLimit, cpu, memory: `${rssMiB} (peak ${peakMiB}) MiB` });
  console.error(`${subject.name}: ${what}: ${figure} ${ofLimit} ${cpu}, ${rssMiB} (peak ${peakMiB}) MiB`);
}

async function curlLimits(at: BenchServer): Promise<{ read: number; write: number; read4: number }> {
  const sign = `--fail --silent --show-error -H "x-amz-content-sha256: UNSIGNED-PAYLOAD" --aws-sigv4 aws:amz:us-east-1:s3 --user ${at.accessKeyId}:${at.secretAccessKey}`;
  const read = sizeMiB / (await timed(`curl ${sign} -o /dev/null ${at.endpoint}/${bucket}/big-0`));
  const four = [0, 1, 2, 3].map((i) => `curl ${sign} -o /dev/null ${at.endpoint}/${bucket}/quarter-${i} & `).join("");
  const read4 = sizeMiB / (await timed(`${four} wait`));
  const half = sizeMiB / 2;
  const part = Math.min(half, 64);
  const file = path.join(os.tmpdir(), `s3csi-bench-${process.pid}`);
  await timed(`head -c ${part}M /dev/zero > ${file}`);
  const put = `for i in $(seq ${half / part}); do curl ${sign} -T ${file} ${at.endpoint}/${bucket}/curl-$i || exit 1; done`;
  const write = half / (await timed(put).finally(() => rmSync(file)));
  console.error(`curl: read ${Math.round(read)} MiB/s, 4 at once ${Math.round(read4)} MiB/s, write ${Math.round(write)} MiB/s`);
  return { read, write, read4 };
}

async function fill(at: BenchServer): Promise<void> {
  const store = storeOf(at);
  const part = Buffer.alloc(16 * 1024 * 1024, "0123456789abcdef");
  const upload = async (key: string, mebibytes: number) => {
    const multipart = await store.createUpload(key, { checksum: "off" });
    const numbers = Array.from({ length: Math.ceil(mebibytes / 16) }, (_, i) => i + 1);
    await store.completeUpload(multipart, await Promise.all(numbers.map((n) => store.uploadPart(multipart, n, [part]))));
  };
  await upload("big-0", sizeMiB);
  for (let i = 0; i < 4; i++) await upload(`quarter-${i}`, sizeMiB / 4);
  await store.close();
  await fillTree(at, files);
}

async function fillTree(at: BenchServer, count: number): Promise<void> {
  const store = storeOf(at);
  const body = [Buffer.alloc(4096, "x")];
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, i) => from + i);
    await Promise.all(some.flatMap((i) => [store.put({ key: `tree/d${i % 20}/f${i}`, body }), store.put({ key: `flat/f${i}`, body })]));
  }
  await store.close();
}

function storeOf(at: BenchServer) {
  return createS3Store({ bucket, region: "us-east-1", endpointUrl: at.endpoint, pathStyle: true, credentials: staticCredentials(at) });
}

function print(): void {
  const lines = [["what", "who", "figure", "of curl", "CPU of the mount", "memory"], ...rows.map((r) => [r.what, r.who, r.figure, r.ofLimit, r.cpu, r.memory])];
  const widths = [0, 1, 2, 3, 4, 5].map((c) => Math.max(...lines.map((l) => l[c]?.length ?? 0)));
  for (const line of lines) console.log(line.map((cell, c) => cell.padEnd(widths[c] ?? 0)).join("  ").trimEnd());
}
