// kill -9 of the controller at every point of CreateVolume and DeleteVolume. The points are the requests it sends to S3: a proxy
// in between counts them and kills the process before the n-th one arrives, or after it was answered but before the answer is
// passed on. Afterwards a new controller gets the same call, as csi-provisioner would send it.
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { createBucketAdmin } from "../../../src/s3/bucket-admin.ts";
import { createS3Store } from "../../../src/s3/client.ts";
import { staticCredentials } from "../../../src/s3/credentials.ts";
import { startController } from "../bed/controller-process.ts";
import { servers } from "../bed/servers.ts";

const runs = Number(process.env["S3CSI_CRASH_RUNS"] ?? 200);

interface Trap {
  /** Which request from now on. */
  countdown: number;
  when: "before" | "after";
  spring: () => Promise<void>;
}

/** Passes requests on; the trap springs on the chosen one, whose answer never arrives. */
async function startProxy(target: string) {
  let trap: Trap | undefined;
  const upstream = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const sprung = trap && --trap.countdown === 0 ? trap : undefined;
    if (sprung) trap = undefined;
    const forward = () => {
      const sent = httpRequest({ host: upstream.hostname, port: upstream.port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
        if (sprung) {
          answer.resume().on("end", () => void sprung.spring().then(() => outgoing.destroy()));
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      sent.on("error", () => outgoing.destroy());
      incoming.pipe(sent);
    };
    if (sprung?.when === "before") void sprung.spring().then(() => outgoing.destroy());
    else forward();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    // The signature covers the host header, so the server behind must accept what was signed: it is passed on unchanged.
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next: Trap) {
      trap = next;
    },
    get armed() {
      return trap !== undefined;
    },
    clear() {
      trap = undefined;
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

test(`${runs} kills: no orphan bucket, no false success`, async () => {
  const s3 = await servers.embedded();
  const proxy = await startProxy(s3.endpoint);
  const controller = await startController({ ...s3, endpoint: proxy.endpoint }, { logLevel: "warn" });
  const credentials = staticCredentials(s3);
  const admin = createBucketAdmin({ region: s3.region, endpointUrl: s3.endpoint, pathStyle: true, credentials, maxAttempts: 1 });
  await admin.createBucket("shared-bucket");
  const points = new Map<string, number>();
  try {
    const kinds: Record<string, Record<string, string>>[] = [{ parameters: { onDelete: "purge" } }, { parameters: { bucket: "shared-bucket", onDelete: "purge" } }];
    let done = 0;
    for (let round = 0; done < runs; round++) {
      const kind = kinds[round % kinds.length] as { parameters: Record<string, string> };
      const request = {
        name: `pvc-${round}`,
        parameters: kind.parameters,
        volumeCapabilities: [
          { accessType: { $case: "mount" as const, mount: { fsType: "", mountFlags: [], volumeMountGroup: "" } }, accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER } },
        ],
      };
      const attempt = async <T>(label: string, call: () => Promise<T>, after = 0): Promise<T> => {
        // Every request of the call in turn, before and after it takes effect; then a call that runs through.
        const point = 1 + (Math.floor(round / (2 * kinds.length)) % 8);
        const when = after === 0 ? "before" : "after";
        proxy.set({ countdown: point, when, spring: () => controller.process().kill() });
        const outcome = await call().then(
          () => "success" as const,
          () => "failure" as const,
        );
        if (proxy.armed) {
          proxy.clear();
          assert.is(outcome, "success", `${label} fails without a kill`);
        } else {
          assert.is(outcome, "failure", `${label}: killed at request ${point}, yet it reported success`);
          const key = `${label} ${Object.keys(kind.parameters).includes("bucket") ? "prefix" : "bucket"} ${when} request ${point}`;
          points.set(key, (points.get(key) ?? 0) + 1);
          done += 1;
          await controller.restart();
        }
        return call();
      };
      const side = Math.floor(round / kinds.length) % 2;
      const { volume } = await attempt("create", () => controller.call.createVolume(request, { signal: AbortSignal.timeout(20_000) }), side);
      assert.ok(volume);
      const mine = (await admin.listBuckets()).filter((bucket) => bucket.includes(request.name));
      assert.is(mine.length, kind.parameters["bucket"] ? 0 : 1, "exactly the volume's bucket");
      const store = createS3Store({ bucket: volume.volumeContext["bucketName"] ?? "", region: s3.region, endpointUrl: s3.endpoint, pathStyle: true, credentials });
      await store.put({ key: `${volume.volumeContext["prefix"] ?? ""}data`, body: [Buffer.from("x")] });
      await attempt("delete", () => controller.call.deleteVolume({ volumeId: volume.volumeId }, { signal: AbortSignal.timeout(20_000) }), side);
      await store.close();
      assert.equal(await admin.listBuckets(), ["shared-bucket"], "nothing is left");
      const shared = createS3Store({ bucket: "shared-bucket", region: s3.region, endpointUrl: s3.endpoint, pathStyle: true, credentials });
      assert.equal((await shared.list({ prefix: "" })).objects, [], "no record is left");
      await shared.close();
    }
    process.stdout.write(`${done} kills at ${points.size} different points\n`);
    assert.ok(points.size >= (runs >= 200 ? 40 : 4));
  } finally {
    await controller.stop();
    await proxy.stop();
    await admin.close();
    await s3.stop();
  }
});

test.run();
