// `s3-csi mount` as a user runs it: the good way, and every wrong one with one line that says what and what to do.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
// What touches the mount must not block: the S3 server runs in this very process.
import { appendFile, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { markedKey, markedSecret } from "../../scripts/test/secrets/mark.ts";
import { scanOfThisRun } from "../../scripts/test/secrets/scan.ts";
import { isMountPoint } from "../../src/linux/mount-info.ts";
import { umount } from "../../src/linux/mount.ts";
import { optionTable } from "../../src/mountpoint/option-table.ts";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { smallDisk } from "../bed/small-disk.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";

const program = path.join(import.meta.dirname, "../../src/bin/cli.ts");
const s3 = await startEmbeddedS3({ buckets: ["data"] });
s3.bucket("data").put("hello.txt", "hello");
s3.bucket("data").put("logs/one", "1");
const folder = await temporaryFolder("cli");
const mnt = path.join(folder.path, "mnt");
mkdirSync(mnt);
const env = { PATH: process.env["PATH"], AWS_ENDPOINT_URL: s3.endpoint, AWS_ACCESS_KEY_ID: s3.key.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.key.secretAccessKey, AWS_EC2_METADATA_DISABLED: "true", HOME: folder.path };

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

async function run(args: readonly string[], more: Record<string, string> = {}): Promise<Result> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (c: Buffer) => (out += c));
  child.stderr.on("data", (c: Buffer) => (err += c));
  const [code] = (await once(child, "close", { signal: AbortSignal.timeout(60_000) })) as [number | null];
  scanOfThisRun()?.log(`the output of s3-csi ${args[0]}`)(out + err);
  return { code, out, err, ms: performance.now() - started };
}

test("in the background: ready when it returns; read, write, unmount", async () => {
  const mounted = await run(["mount", "data", mnt, "--force-path-style", "--allow-delete"]);
  assert.equal([mounted.code, mounted.err], [0, ""]);
  assert.is(await readFile(path.join(mnt, "hello.txt"), "utf8"), "hello");
  await writeFile(path.join(mnt, "new.txt"), "new");
  assert.is(s3.bucket("data").object("new.txt").content.size, 3);
  const again = await run(["mount", "data", mnt, "--force-path-style"]);
  assert.is.not(again.code, 0);
  assert.match(again.err, /^s3-csi: .*is a mount point already.*unmount it first.*\n$/);
  const inUse = await open(path.join(mnt, "hello.txt"), "r");
  const busy = await run(["unmount", mnt]);
  await inUse.close();
  assert.is(busy.code, 1);
  assert.match(busy.err, /is in use; .*--lazy/);
  assert.equal((await run(["unmount", mnt])).code, 0);
  assert.not(isMountPoint(mnt));
  assert.match((await run(["unmount", mnt])).err, /nothing is mounted/);
});

test("fstab style, s3:// and a prefix, read-only", async () => {
  assert.is((await run(["mount", "s3://data/logs/", mnt, "-o", "ro,force-path-style,_netdev,x-systemd.automount,nofail"])).code, 0);
  assert.equal(await readdir(mnt), ["one"]);
  assert.match(await writeFile(path.join(mnt, "two"), "").then(() => "written", (e: Error) => e.message), /EROFS/);
  assert.is((await run(["unmount", mnt])).code, 0);
});

test("in the foreground: SIGTERM while in use keeps it, unused ends it with 0", async () => {
  const child = spawn(process.execPath, [program, "mount", "data", mnt, "--force-path-style", "--foreground"], { env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      AbortSignal.timeout(20_000).addEventListener("abort", () => reject(new Error(`no "${text}" in ${log}`)));
      const look = () => log.includes(text) && resolve();
      child.stderr.on("data", look);
      look();
    });
  child.stderr.on("data", (c: Buffer) => (log += c));
  await until('"serving"');
  const inUse = await open(path.join(mnt, "hello.txt"), "r");
  child.kill("SIGTERM");
  await until("in use and stays");
  assert.is(await readFile(path.join(mnt, "hello.txt"), "utf8"), "hello");
  await inUse.close();
  const exit = once(child, "exit", { signal: AbortSignal.timeout(20_000) });
  child.kill("SIGTERM");
  assert.equal(await exit, [0, null]);
  assert.not(isMountPoint(mnt));
  scanOfThisRun()?.log("the log of s3-csi mount --foreground")(log);
});

test("--cache: a whole object is read by the kernel itself, even while the server is stopped", async () => {
  const content = Buffer.alloc(2 << 20, "content ");
  const cache = path.join(folder.path, "cache");
  s3.bucket("data").put("large", content);
  const child = spawn(process.execPath, [program, "mount", "data", mnt, "--force-path-style", "--foreground", "--cache", cache], { env, stdio: ["ignore", "ignore", "pipe"] });
  const exit = once(child, "exit", { signal: AbortSignal.timeout(40_000) });
  try {
    for await (const chunk of child.stderr) if (String(chunk).includes('"serving"')) break;
    const file = path.join(mnt, "large");
    assert.ok(content.equals(await readFile(file)));
    const dataFile = () => readdirSync(cache, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".data"));
    for (let i = 0; i < 200 && !(dataFile() && readFileSync(path.join(cache, dataFile() as string)).equals(content)); i++) await delay(20);
    await delay(100);
    const seen = Buffer.from(content);
    seen.write("from the cache");
    writeFileSync(path.join(cache, dataFile() as string), seen);
    const handle = await open(file, "r");
    child.kill("SIGSTOP");
    const bytes = Buffer.alloc(content.length);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0).finally(() => child.kill("SIGCONT"));
    assert.is(bytesRead, content.length);
    assert.ok(bytes.equals(seen));
    await handle.close();
  } finally {
    assert.is((await run(["unmount", mnt])).code, 0);
    assert.equal(await exit, [0, null]);
  }
});

test("--auto-unmount: a killed server leaves no mount", async () => {
  const child = spawn(process.execPath, [program, "mount", "data", mnt, "--force-path-style", "--foreground", "--auto-unmount"], { env, stdio: ["ignore", "ignore", "pipe"] });
  for await (const chunk of child.stderr) if (String(chunk).includes('"serving"')) break;
  child.kill("SIGKILL");
  for (let i = 0; i < 200 && isMountPoint(mnt); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.not(isMountPoint(mnt));
});

const wrongCa = path.join(folder.path, "wrong-ca.pem");
const notADirectory = path.join(folder.path, "file");
writeFileSync(notADirectory, "");
const session = s3.accounts.createSession(s3.account, { ttlMs: -1000 });
const tls = selfSigned();
const tlsS3 = await startEmbeddedS3({ buckets: ["data"], tls });
writeFileSync(wrongCa, selfSigned().cert);
const noPem = path.join(folder.path, "no.pem");
writeFileSync(noPem, "rubbish");
const lateS3 = await startEmbeddedS3({ buckets: ["data"], clockOffsetMs: 3_600_000, key: s3.key });
s3.createBucket("foreign", s3.accounts.create("somebody else").account);
s3.createBucket("abroad").region = "eu-central-1";
s3.bucket("abroad").put("hello.txt", "hallo");
const fullDisk = smallDisk(path.join(folder.path, "full"), "size=1m");
fullDisk.fill();
const readOnlyDisk = smallDisk(path.join(folder.path, "read-only"), "size=1m,ro");
const closedPort = await freePort();
/** The promise holds for a machine that is not busy with other tests. */
const slowness = 3;
const plain = ["mount", "data", mnt, "--force-path-style"];

const faults: readonly { readonly title: string; readonly args: readonly string[]; readonly env?: Record<string, string>; readonly says: RegExp; readonly limitMs?: number }[] = [
  { title: "wrong bucket", args: ["mount", "missing", mnt, "--force-path-style"], says: /bucket "missing" does not exist at .*check its name/ },
  { title: "no bucket's name", args: ["mount", "a/b", mnt], says: /no bucket's name/ },
  { title: "unknown key", args: plain, env: { AWS_ACCESS_KEY_ID: markedKey("NOBODY").accessKeyId }, says: /does not accept the credentials \(InvalidAccessKeyId\); check/ },
  { title: "wrong secret", args: plain, env: { AWS_SECRET_ACCESS_KEY: markedSecret() }, says: /does not accept the credentials \(SignatureDoesNotMatch\); check/ },
  { title: "no credentials", args: plain, env: { AWS_ACCESS_KEY_ID: "" }, says: /no profile "default" in .*; write it or choose another/ },
  { title: "expired token", args: plain, env: { AWS_ACCESS_KEY_ID: session.accessKeyId, AWS_SECRET_ACCESS_KEY: session.secretAccessKey, AWS_SESSION_TOKEN: session.sessionToken ?? "" }, says: /token has expired; give new credentials/ },
  { title: "unreachable endpoint", args: [...plain, "--endpoint-url", `http://127.0.0.1:${closedPort}`], says: /cannot be reached: .*check the endpoint/, limitMs: 30_000 },
  { title: "endpoint that is no URL", args: [...plain, "--endpoint-url", "nonsense"], says: /is not an http:\/\/ or https:\/\/ address/ },
  { title: "certificate that is not trusted", args: [...plain, "--endpoint-url", tlsS3.endpoint], says: /certificate of .* is not trusted.*--ca-bundle/ },
  { title: "wrong CA", args: [...plain, "--endpoint-url", tlsS3.endpoint, "--ca-bundle", wrongCa], says: /certificate of .* is not trusted/ },
  { title: "CA bundle that is missing", args: [...plain, "--endpoint-url", tlsS3.endpoint, "--ca-bundle", "/nonexistent.pem"], says: /CA bundle .* cannot be read/ },
  { title: "cache directory that can't be used", args: [...plain, "--cache", path.join(notADirectory, "cache")], says: /cache directory .* cannot be used/ },
  { title: "cache directory that is a file", args: [...plain, "--cache", notADirectory], says: /cache directory .* cannot be used: .*; make it writable, or give another with --cache/ },
  { title: "cache directory that can't be written", args: [...plain, "--cache", readOnlyDisk.path], says: /cache directory .* cannot be used: .*EROFS.*; make it writable, or give another with --cache/ },
  { title: "cache directory that can't be made", args: [...plain, "--cache", path.join(readOnlyDisk.path, "a/b")], says: /cache directory .* cannot be used: .*EROFS/ },
  { title: "cache directory where none can be", args: [...plain, "--cache", "/proc/nowhere"], says: /cache directory .* cannot be used: .*ENOENT/ },
  { title: "cache directory on a full disk", args: [...plain, "--cache", fullDisk.path], says: /disk of the cache directory .* is full; free some space, or give another directory with --cache/ },
  { title: "cache of a set size on a full disk", args: [...plain, "--cache", path.join(fullDisk.path, "new"), "--max-cache-size", "100"], says: /disk of the cache directory .* is full; free/ },
  { title: "log directory that can't be written", args: [...plain, "--log-directory", path.join(readOnlyDisk.path, "log")], says: /log directory .* cannot be used: .*; make it writable/ },
  { title: "log directory where none can be", args: [...plain, "--log-directory", "/proc/nowhere"], says: /log directory .* cannot be used: .*ENOENT/ },
  { title: "bucket of somebody else", args: ["mount", "foreign", mnt, "--force-path-style"], says: /access denied: .*foreign.*the credentials lack the permission/ },
  { title: "clock that is wrong", args: [...plain, "--endpoint-url", lateS3.endpoint], says: /the clocks differ: .*set the clock of this machine/ },
  { title: "mount point that is mounted already", args: ["mount", "data", "/proc"], says: /\/proc is a mount point already .*; unmount it first/ },
  { title: "CA bundle that is none", args: [...plain, "--endpoint-url", tlsS3.endpoint, "--ca-bundle", noPem], says: /CA bundle .* PEM/ },
  { title: "region that is not the bucket's", args: ["mount", "abroad", mnt, "--force-path-style", "--region", "us-east-1"], says: /bucket "abroad" is in the region eu-central-1, not in us-east-1; give --region eu-central-1/ },
  { title: "unknown option", args: [...plain, "--no-such"], says: /unknown option --no-such; see --help/ },
  { title: "option without its value", args: [...plain, "--uid"], says: /--uid needs a value/ },
  { title: "mount point that is a file", args: ["mount", "data", notADirectory], says: /is not a directory; give a directory/ },
  { title: "mount point that is missing", args: ["mount", "data", "/nonexistent/dir"], says: /does not exist; make the directory/ },
  { title: "prefix without a slash", args: [...plain, "--prefix", "a"], says: /must end in "\/"/ },
];

for (const fault of faults) {
  test(`refused: ${fault.title}`, async () => {
    const result = await run(fault.args, fault.env);
    assert.is.not(result.code, 0);
    assert.is.not(result.code, null);
    assert.is(result.err.split("\n").length, 2, `one line: ${result.err}`);
    assert.match(result.err, fault.says);
    assert.ok(result.ms < (fault.limitMs ?? 5_000) * slowness, `${Math.round(result.ms)} ms`);
    assert.not(isMountPoint(mnt));
  });
}

test("a disk that fills up while mounted breaks neither reads nor writes, and is told once", async () => {
  const disk = smallDisk(path.join(folder.path, "cache"), "size=8m");
  const log = path.join(folder.path, "logs");
  const content = (n: number) => Buffer.alloc(3_000_000, `content ${n} `);
  for (let i = 0; i < 8; i++) s3.bucket("data").put(`file${i}`, content(i));
  assert.is((await run([...plain, "--cache", disk.path, "--max-cache-size", "100", "--log-directory", log])).code, 0);
  try {
    const read = async (i: number) => assert.ok(content(i).equals(await readFile(path.join(mnt, `file${i}`))), `file${i}`);
    await read(0);
    disk.fill();
    for (let i = 1; i < 8; i++) await read(i);
    for (let i = 10; i < 14; i++) {
      await writeFile(path.join(mnt, `file${i}`), content(i));
      await read(i);
      assert.is(s3.bucket("data").object(`file${i}`).content.size, content(i).length);
    }
    await writeFile(path.join(mnt, "larger-than-the-disk"), Buffer.alloc(20_000_000, "x"));
    assert.is(s3.bucket("data").object("larger-than-the-disk").content.size, 20_000_000);
    const warnings = (await Promise.all((await readdir(log)).map((name) => readFile(path.join(log, name), "utf8")))).join("").split("\n").filter((line) => line.includes('"warn"'));
    assert.is(warnings.length, 1, warnings.join("\n"));
    assert.match(warnings[0] ?? "", /the cache can't be written; reading and writing go on without it.*ENOSPC/);
  } finally {
    assert.is((await run(["unmount", mnt])).code, 0);
    disk.remove();
  }
});

test("a bucket in another region than AWS_REGION is found", async () => {
  assert.is((await run(["mount", "abroad", mnt, "--force-path-style"], { AWS_REGION: "us-west-2" })).code, 0);
  s3.counters.reset();
  assert.is(await readFile(path.join(mnt, "hello.txt"), "utf8"), "hallo");
  assert.not.ok(s3.counters.log.some((request) => request.status === 301), "asked in the right region from the start");
  assert.is((await run(["unmount", mnt])).code, 0);
});

test("a directory bucket: a session signs, files are appended to and renamed", async () => {
  const name = "express--usw2-az1--x-s3";
  s3.createBucket(name).put("log", "one ");
  s3.counters.reset();
  assert.is((await run(["mount", name, mnt, "--force-path-style", "--incremental-upload"])).code, 0);
  await appendFile(path.join(mnt, "log"), "two");
  await rename(path.join(mnt, "log"), path.join(mnt, "log.1"));
  assert.is(await readFile(path.join(mnt, "log.1"), "utf8"), "one two");
  assert.is((await run(["unmount", mnt])).code, 0);
  assert.is(s3.counters.of("CreateSession"), 2, "one for the check, one for the mount");
});

test("a log that can't be written, its disk being full, ends nothing", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [program, "mount", "data", mnt, "--force-path-style", "--foreground", "--debug"], { env, stdio: ["ignore", "ignore", full] });
  closeSync(full);
  const exit = once(child, "exit", { signal: AbortSignal.timeout(60_000) });
  for (let i = 0; i < 400 && !isMountPoint(mnt); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.is(await readFile(path.join(mnt, "hello.txt"), "utf8"), "hello");
  child.kill("SIGTERM");
  assert.equal(await exit, [0, null]);
});

test("every option of mount-s3 is taken or refused with a reason", async () => {
  const given = Object.entries(optionTable).filter(([, rule]) => "refused" in rule);
  for (const [name, rule] of given) {
    const result = await run([...plain, `--${name}=1`]);
    assert.is(result.code, 2);
    assert.match(result.err, new RegExp(`--${name} is not offered: ${"refused" in rule ? rule.refused.slice(0, 10) : ""}`));
  }
});

test("help fits a screen", async () => {
  for (const args of [["--help"], ["mount", "--help"], ["unmount", "--help"], ...["bucket", "credentials", "files", "uploads", "caching", "mount", "logging"].map((t) => ["mount", "--help", t])]) {
    const { code, out } = await run(args);
    assert.is(code, 0);
    const lines = out.trimEnd().split("\n");
    assert.ok(lines.length <= 30 && lines.every((l) => l.length <= 110), `${args.join(" ")}: ${lines.length} lines`);
  }
});

test.after(async () => {
  if (isMountPoint(mnt)) umount(mnt, { lazy: true });
  await Promise.all([s3.stop(), tlsS3.stop(), lateS3.stop()]);
  for (const disk of [fullDisk, readOnlyDisk]) disk.remove();
  await folder.remove();
});
test.run();

function selfSigned(): { key: string; cert: string } {
  const out = execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "-", "-out", "-", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  const block = (name: string) => new RegExp(`-----BEGIN ${name}-----[\\s\\S]*?-----END ${name}-----`).exec(out)?.[0] ?? "";
  return { key: block("PRIVATE KEY"), cert: block("CERTIFICATE") };
}
