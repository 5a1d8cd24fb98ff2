// CreateVolume and DeleteVolume through the running controller, on real S3 servers.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CreateVolumeRequest, VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { markedKey } from "../../../scripts/test/secrets/mark.ts";
import { GrpcStatus, grpcStatusOf } from "../../../src/core/grpc-status.ts";
import { type BucketAdmin, createBucketAdmin } from "../../../src/s3/bucket-admin.ts";
import { createS3Store } from "../../../src/s3/client.ts";
import { staticCredentials } from "../../../src/s3/credentials.ts";
import { type S3Access, startController } from "../bed/controller-process.ts";
import { servers } from "../bed/servers.ts";

const capability = (mode: Mode = Mode.MULTI_NODE_MULTI_WRITER) => ({
  accessType: { $case: "mount" as const, mount: { fsType: "", mountFlags: [], volumeMountGroup: "" } },
  accessMode: { mode },
});

function request(name: string, parameters: Record<string, string> = {}, more: Partial<CreateVolumeRequest> = {}) {
  return { name, parameters, volumeCapabilities: [capability()], ...more };
}

async function status(call: Promise<unknown>): Promise<{ code: number; message: string }> {
  try {
    await call;
    return { code: GrpcStatus.OK, message: "" };
  } catch (error) {
    return { code: grpcStatusOf(error), message: (error as Error).message };
  }
}

for (const [name, start] of Object.entries(servers)) {
  const test = suite<{ s3: S3Access; controller: Awaited<ReturnType<typeof startController>>; admin: BucketAdmin; stop: () => Promise<void> }>(`controller on ${name}`);
  const store = (s3: S3Access, bucket: string) =>
    createS3Store({ bucket, region: s3.region, endpointUrl: s3.endpoint, pathStyle: true, credentials: staticCredentials(s3), maxAttempts: 1 });
  const put = async (s3: S3Access, bucket: string, key: string) => {
    const bucketStore = store(s3, bucket);
    await bucketStore.put({ key, body: [Buffer.from("x")] });
    await bucketStore.close();
  };
  const keys = async (s3: S3Access, bucket: string, prefix = "") => {
    const bucketStore = store(s3, bucket);
    const { objects } = await bucketStore.list({ prefix });
    await bucketStore.close();
    return objects.map((object) => object.key);
  };
  let unique = 0;
  const fresh = () => `pvc-${process.pid}-${name}-${++unique}`;

  test.before(async (context) => {
    const server = await start();
    context.s3 = server;
    context.controller = await startController(server);
    context.admin = createBucketAdmin({ region: server.region, endpointUrl: server.endpoint, pathStyle: true, credentials: staticCredentials(server), maxAttempts: 1 });
    context.stop = async () => {
      await context.controller.stop();
      await context.admin.close();
      await server.stop();
    };
  });
  test.after((context) => context.stop());

  test("a volume is a bucket that carries its owner", async ({ controller, admin }) => {
    const { volume } = await controller.call.createVolume(request(fresh()));
    assert.ok(volume);
    assert.equal(volume.volumeContext, { dynamicProvisioning: "true", bucketName: volume.volumeId, authenticationSource: "driver" });
    assert.is(volume.capacityBytes, 1n << 30n);
    assert.match((await admin.getTags(volume.volumeId))["s3.csi.scality.com/on-delete"] ?? "", /^delete-if-empty$/);
  });

  test("the same request again is the same volume, other ones conflict", async ({ controller, admin }) => {
    const volumeName = fresh();
    const first = await controller.call.createVolume(request(volumeName, {}, { capacityRange: { requiredBytes: 5n, limitBytes: 0n } }));
    const again = await controller.call.createVolume(request(volumeName, {}, { capacityRange: { requiredBytes: 5n, limitBytes: 0n } }));
    assert.equal(again, first);
    const before = await admin.listBuckets();
    for (const other of [
      request(volumeName, { onDelete: "purge" }, { capacityRange: { requiredBytes: 5n, limitBytes: 0n } }),
      request(volumeName, { bucketNamePrefix: "other-" }, { capacityRange: { requiredBytes: 5n, limitBytes: 0n } }),
      request(volumeName, {}, { capacityRange: { requiredBytes: 10n, limitBytes: 0n } }),
    ]) {
      assert.is((await status(controller.call.createVolume(other))).code, GrpcStatus.ALREADY_EXISTS);
    }
    assert.equal(await admin.listBuckets(), before);
  });

  test("twenty at once of one name make one bucket", async ({ controller, admin }) => {
    const volumeName = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => controller.call.createVolume(request(volumeName))));
    assert.is(new Set(answers.map(({ volume }) => volume?.volumeId)).size, 1);
    assert.is((await admin.listBuckets()).filter((bucket) => bucket.includes(volumeName)).length, 1);
  });

  test("a bucket left without its tag by a crash is taken up again when empty, and left alone when not", async ({ controller, admin, s3 }) => {
    const volumeName = fresh();
    const { volume } = await controller.call.createVolume(request(volumeName));
    const bucket = volume?.volumeId ?? "";
    await admin.deleteBucket(bucket);
    await admin.createBucket(bucket);
    assert.is((await controller.call.createVolume(request(volumeName))).volume?.volumeId, bucket);
    await admin.deleteBucket(bucket);
    await admin.createBucket(bucket);
    await put(s3, bucket, "somebody's data");
    assert.is((await status(controller.call.createVolume(request(volumeName)))).code, GrpcStatus.ALREADY_EXISTS);
    assert.is((await status(controller.call.deleteVolume({ volumeId: bucket }))).code, GrpcStatus.FAILED_PRECONDITION);
    assert.equal(await keys(s3, bucket), ["somebody's data"]);
  });

  test("delete-if-empty: says so when it is not, deletes when it is, and absent is success", async ({ controller, admin, s3 }) => {
    const { volume } = await controller.call.createVolume(request(fresh()));
    const volumeId = volume?.volumeId ?? "";
    await put(s3, volumeId, "a");
    const refused = await status(controller.call.deleteVolume({ volumeId }));
    assert.is(refused.code, GrpcStatus.FAILED_PRECONDITION);
    assert.match(refused.message, /not empty.*onDelete: purge or retain/);
    assert.equal(await keys(s3, volumeId), ["a"]);
    const bucketStore = store(s3, volumeId);
    await bucketStore.delete("a");
    await bucketStore.close();
    assert.is((await status(controller.call.deleteVolume({ volumeId }))).code, GrpcStatus.OK);
    assert.not((await admin.listBuckets()).includes(volumeId));
    assert.is((await status(controller.call.deleteVolume({ volumeId }))).code, GrpcStatus.OK);
  });

  test("purge deletes what is in it; retain leaves everything", async ({ controller, admin, s3 }) => {
    const purged = (await controller.call.createVolume(request(fresh(), { onDelete: "purge" }))).volume?.volumeId ?? "";
    for (const key of ["a", "b/c", "b/d"]) await put(s3, purged, key);
    await controller.call.deleteVolume({ volumeId: purged });
    const kept = (await controller.call.createVolume(request(fresh(), { onDelete: "retain" }))).volume?.volumeId ?? "";
    await put(s3, kept, "a");
    await controller.call.deleteVolume({ volumeId: kept });
    const buckets = await admin.listBuckets();
    assert.not(buckets.includes(purged));
    assert.ok(buckets.includes(kept));
    assert.equal(await keys(s3, kept), ["a"]);
  });

  test("static volumes are never touched", async ({ controller, admin, s3 }) => {
    await admin.createBucket(`static-${name}`);
    await put(s3, `static-${name}`, "a");
    // Success: the PersistentVolume may go, whatever its reclaim policy; the bucket stays.
    assert.is((await status(controller.call.deleteVolume({ volumeId: `static-${name}` }))).code, GrpcStatus.OK);
    assert.is((await status(controller.call.deleteVolume({ volumeId: "My Static Handle" }))).code, GrpcStatus.OK);
    assert.equal(await keys(s3, `static-${name}`), ["a"]);
  });

  test("many volumes in one bucket: each its own prefix, deleted alone", async ({ controller, admin, s3 }) => {
    const bucket = `shared-${name}`;
    await admin.createBucket(bucket);
    const parameters = (pvc: string, onDelete = "purge") => ({
      bucket,
      prefix: "${pvc.namespace}/${pvc.name}",
      onDelete,
      "csi.storage.k8s.io/pvc/name": pvc,
      "csi.storage.k8s.io/pvc/namespace": "shop",
      "csi.storage.k8s.io/pv/name": `pv-${pvc}`,
    });
    const [one, two] = await Promise.all([controller.call.createVolume(request(fresh(), parameters("one"))), controller.call.createVolume(request(fresh(), parameters("two")))]);
    assert.equal([one.volume?.volumeContext["prefix"], two.volume?.volumeContext["prefix"]], ["shop/one/", "shop/two/"]);
    await put(s3, bucket, "shop/one/x");
    await put(s3, bucket, "shop/two/x");
    assert.is((await status(controller.call.createVolume(request(fresh(), parameters("one"))))).code, GrpcStatus.ALREADY_EXISTS, "the prefix is taken");
    const outer = { ...parameters("one"), prefix: "shop" };
    assert.is((await status(controller.call.createVolume(request(fresh(), outer)))).code, GrpcStatus.ALREADY_EXISTS, "a prefix around taken ones");
    const inner = { ...parameters("one"), prefix: "shop/one/deeper" };
    assert.is((await status(controller.call.createVolume(request(fresh(), inner)))).code, GrpcStatus.ALREADY_EXISTS, "a prefix inside a taken one");
    await controller.call.deleteVolume({ volumeId: one.volume?.volumeId ?? "" });
    assert.equal(await keys(s3, bucket, "shop/"), ["shop/two/x"]);
    await controller.call.deleteVolume({ volumeId: one.volume?.volumeId ?? "" });
    await controller.call.deleteVolume({ volumeId: two.volume?.volumeId ?? "" });
    assert.equal(await keys(s3, bucket), [], "no record is left either");
    const missing = await status(controller.call.createVolume(request(fresh(), { bucket: "no-such-bucket-here" })));
    assert.is(missing.code, GrpcStatus.NOT_FOUND);
  });

  test("keys of the request's secret are used, wrong ones are told and not logged", async ({ controller, s3 }) => {
    const good = { access_key_id: s3.accessKeyId, secret_access_key: s3.secretAccessKey };
    const made = await controller.call.createVolume(request(fresh(), {}, { secrets: good }));
    assert.is(made.volume?.volumeContext["authenticationSource"], "secret");
    await controller.call.deleteVolume({ volumeId: made.volume?.volumeId ?? "", secrets: good });
    const wrong = markedKey("WRONGKEY");
    const bad = { access_key_id: wrong.accessKeyId, secret_access_key: wrong.secretAccessKey };
    const refused = await status(controller.call.createVolume(request(fresh(), {}, { secrets: bad })));
    assert.ok([GrpcStatus.UNAUTHENTICATED, GrpcStatus.PERMISSION_DENIED].includes(refused.code as 7), `${refused.code} ${refused.message}`);
    for (const secret of [wrong.secretAccessKey, wrong.accessKeyId, s3.secretAccessKey]) assert.not(controller.log().includes(secret));
  });

  test("ValidateVolumeCapabilities tells the truth", async ({ controller }) => {
    const { volume } = await controller.call.createVolume(request(fresh()));
    const volumeId = volume?.volumeId ?? "";
    for (const mode of [1, 2, 3, 4, 5, 6, 7] as Mode[]) {
      const answer = await controller.call.validateVolumeCapabilities({ volumeId, volumeCapabilities: [capability(mode)] });
      assert.ok(answer.confirmed, `mode ${mode}`);
    }
    const block = { accessType: { $case: "block" as const, block: {} }, accessMode: { mode: Mode.SINGLE_NODE_WRITER } };
    const answer = await controller.call.validateVolumeCapabilities({ volumeId, volumeCapabilities: [block] });
    assert.is(answer.confirmed, undefined);
    assert.match(answer.message, /block/);
    const missing = await status(controller.call.validateVolumeCapabilities({ volumeId: "no-such-volume", volumeCapabilities: [capability()] }));
    assert.is(missing.code, GrpcStatus.NOT_FOUND);
  });

  test("what the controller does not do answers UNIMPLEMENTED", async ({ controller }) => {
    for (const call of [controller.call.listVolumes({}), controller.call.getCapacity({}), controller.call.createSnapshot({}), controller.call.controllerPublishVolume({})]) {
      assert.is((await status(call)).code, GrpcStatus.UNIMPLEMENTED);
    }
  });

  test.run();
}
