// Each missing or wrong field of each RPC of the controller: the right status, a readable message, and nothing created.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { GrpcStatus, grpcStatusOf } from "../../../src/core/grpc-status.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { startController } from "../bed/controller-process.ts";

type Controller = Awaited<ReturnType<typeof startController>>;
const test = suite<{ controller: Controller; s3: Awaited<ReturnType<typeof startEmbeddedS3>> }>("bad input to the controller");
test.before(async (context) => {
  context.s3 = await startEmbeddedS3({ key: testAccount });
  context.controller = await startController({ endpoint: context.s3.endpoint, region: "us-east-1", ...testAccount });
});
test.after(async ({ controller, s3 }) => {
  await controller.stop();
  await s3.stop();
});

const megabyte = "x".repeat(1_000_000);
const mount = { $case: "mount" as const, mount: { fsType: "", mountFlags: [], volumeMountGroup: "" } };
const capability = { accessType: mount, accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER } };
const create = { name: "pvc-1", parameters: {}, volumeCapabilities: [capability] };
const { INVALID_ARGUMENT, NOT_FOUND, OK } = GrpcStatus;

const cases: [title: string, code: number, call: (controller: Controller) => Promise<unknown>][] = [
  ["CreateVolume without a name", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, name: "" })],
  ["CreateVolume with a name of a megabyte", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, name: megabyte })],
  ["CreateVolume with a control character in its name", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, name: "a\u0000b" })],
  ["CreateVolume without capabilities", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeCapabilities: [] })],
  ["CreateVolume without an access mode", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeCapabilities: [{ accessType: mount }] })],
  ["CreateVolume without an access type", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeCapabilities: [{ accessMode: capability.accessMode }] })],
  ["CreateVolume of an unknown access mode", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeCapabilities: [{ accessType: mount, accessMode: { mode: 99 as Mode } }] })],
  ["CreateVolume of a block volume", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeCapabilities: [{ accessType: { $case: "block", block: {} }, accessMode: capability.accessMode }] })],
  ["CreateVolume with an unknown parameter", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, parameters: { nonsense: "1" } })],
  ["CreateVolume with a parameter of a megabyte", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, parameters: { region: megabyte } })],
  ["CreateVolume with a path for a bucket", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, parameters: { bucket: "../etc" } })],
  ["CreateVolume with a prefix that climbs", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, parameters: { bucket: "shared", prefix: "../../x" } })],
  ["CreateVolume with half a secret", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, secrets: { access_key_id: "AK" } })],
  ["CreateVolume with a secret of a megabyte", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, secrets: { access_key_id: "AK", secret_access_key: megabyte } })],
  ["CreateVolume with a negative capacity", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, capacityRange: { requiredBytes: -1n, limitBytes: 0n } })],
  ["CreateVolume with a limit below what is required", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, capacityRange: { requiredBytes: 2n, limitBytes: 1n } })],
  ["CreateVolume from a snapshot", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, volumeContentSource: { type: { $case: "snapshot", snapshot: { snapshotId: "s" } } } })],
  ["CreateVolume with mutable parameters", INVALID_ARGUMENT, ({ call }) => call.createVolume({ ...create, mutableParameters: { a: "b" } })],
  ["DeleteVolume without an id", INVALID_ARGUMENT, ({ call }) => call.deleteVolume({ volumeId: "" })],
  ["DeleteVolume with an id of a megabyte", INVALID_ARGUMENT, ({ call }) => call.deleteVolume({ volumeId: megabyte })],
  ["DeleteVolume with a path for an id", OK, ({ call }) => call.deleteVolume({ volumeId: "../../etc" })],
  ["DeleteVolume with half a secret", INVALID_ARGUMENT, ({ call }) => call.deleteVolume({ volumeId: "csi-x", secrets: { secret_access_key: "s" } })],
  ["ValidateVolumeCapabilities without an id", INVALID_ARGUMENT, ({ call }) => call.validateVolumeCapabilities({ volumeId: "", volumeCapabilities: [capability] })],
  ["ValidateVolumeCapabilities with an id of a megabyte", INVALID_ARGUMENT, ({ call }) => call.validateVolumeCapabilities({ volumeId: megabyte, volumeCapabilities: [capability] })],
  ["ValidateVolumeCapabilities without capabilities", INVALID_ARGUMENT, ({ call }) => call.validateVolumeCapabilities({ volumeId: "csi-x", volumeCapabilities: [] })],
  ["ValidateVolumeCapabilities of a path", NOT_FOUND, ({ call }) => call.validateVolumeCapabilities({ volumeId: "../../etc", volumeCapabilities: [capability] })],
];
for (const [title, code, call] of cases) {
  test(title, async ({ controller, s3 }) => {
    let got: { code: number; message: string } = { code: OK, message: "" };
    await call(controller).catch((error: Error) => {
      got = { code: grpcStatusOf(error), message: error.message };
    });
    assert.is(got.code, code, got.message);
    if (code !== OK) assert.ok(got.message.length > 10 && got.message.length < 1000, got.message);
    assert.is(s3.counters.of("CreateBucket"), 0, "no bucket was made");
  });
}

test.run();
