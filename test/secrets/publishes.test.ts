// Where do the keys go? Through publishes with the driver's keys and with a secret, with rotation, failures and a restart: never
// into a log, an argument, an environment, or a file on disk. Here while all of it runs, daemons included.
import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { markedKey, secretMark } from "../../scripts/test/secrets/mark.ts";
import { Report } from "../../scripts/test/secrets/report.ts";
import { SecretScan } from "../../scripts/test/secrets/scan.ts";
import { startEmbeddedS3 } from "../bed/embedded-s3/server.ts";
import { testAccount } from "../bed/s3-server.ts";
import { temporaryFolder } from "../bed/temporary-folder.ts";
import { startController } from "../csi/bed/controller-process.ts";
import { publishRequest, startNode } from "../csi/bed/node-process.ts";

const tmpfs = 0x01021994;

test("no key in a log, an argument, an environment, or a file outside of memory", async () => {
  const s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  const access = { endpoint: s3.endpoint, region: "us-east-1", ...testAccount };
  const node = await startNode(access, { logLevel: "trace" });
  const controller = await startController(access, { logLevel: "trace" });
  try {
    const sessions = [s3.accounts.createSession(s3.account), s3.accounts.createSession(s3.account)];
    const wrong = markedKey("WRONG");
    const secretsOf = (key: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) => ({
      access_key_id: key.accessKeyId,
      secret_access_key: key.secretAccessKey,
      ...(key.sessionToken ? { session_token: key.sessionToken } : {}),
    });
    const publish = (pod: string, key: Parameters<typeof secretsOf>[0]) =>
      node.call.nodePublishVolume(publishRequest("data", node.target(pod), { context: { authenticationSource: "secret" }, secrets: secretsOf(key) }));
    const [first, second] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    await node.call.nodePublishVolume(publishRequest("data", node.target("driver"), { volumeId: "by-driver" }));
    await publish("a", first);
    await publish("b", second);
    assert.ok(await publish("c", wrong).then(() => false, () => true));
    assert.ok(await node.call.nodePublishVolume(publishRequest("data", node.target("d"), { context: { authenticationSource: "secret" }, secrets: { access_key_id: "bad key with\nline", secret_access_key: wrong.secretAccessKey } })).then(() => false, () => true));
    await node.restart();
    await publish("a", second);
    process.kill(node.daemons()[0] as number, "SIGKILL");
    await readdir(node.target("a"));
    const request = { name: "pvc-secret", volumeCapabilities: [publishRequest("data", "x").volumeCapability] };
    await controller.call.createVolume({ ...request, secrets: secretsOf(testAccount) });
    assert.ok(await controller.call.createVolume({ ...request, name: "pvc-wrong", secrets: secretsOf(wrong) }).then(() => false, () => true));

    await using folder = await temporaryFolder("publishes");
    const report = new Report(path.join(folder.path, "report"));
    const scan = new SecretScan(report);
    scan.log("the node's and the daemons' log")(node.log());
    scan.log("the controller's log")(controller.log());
    scan.folder(node.root);
    assert.is(node.daemons().length, 2);
    const processes = [node.process().pid, controller.process().pid, ...node.daemons()];
    assert.equal(await Promise.all(processes.map((pid) => scan.process(pid))), ["node", "controller", "mountpoint", "mountpoint"]);
    const where = (saw: "leak" | "allowed") => report.read().flatMap((seen) => (seen.saw === saw ? [seen.where] : []));
    assert.equal(where("leak"), []);
    assert.is(where("allowed").filter((found) => found.includes("/comm/")).length, 2, "the keys of two daemons are in files in memory");
    for (const pid of processes) assert.equal(filesOnDiskWithKeys(pid), []);
    for (const pod of ["driver", "a", "b"]) await node.call.nodeUnpublishVolume({ volumeId: "data", targetPath: node.target(pod) });
    assert.equal(readdirSync(node.comm), [], "the files of keys are gone with the last workload");
  } finally {
    await node.stop();
    await controller.stop();
    await s3.stop();
  }
});

/** Of all that it has open, wherever that is and even if it has no name any more. */
function filesOnDiskWithKeys(pid: number): string[] {
  const opened = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
  const onDisk = opened.filter((file) => tryRead(() => statfsSync(file).type !== tmpfs && statSync(file).isFile()));
  return onDisk.filter((file) => tryRead(() => readFileSync(file, "latin1").includes(secretMark)));
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

test.run();
