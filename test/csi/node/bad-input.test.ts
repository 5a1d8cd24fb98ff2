// Each missing or wrong field of each RPC of the node service: the right status, a readable message, and nothing mounted.
import { existsSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VolumeCapability_AccessMode_Mode as Mode } from "../../../generated/proto/csi.ts";
import { GrpcStatus, grpcStatusOf } from "../../../src/core/grpc-status.ts";
import { startEmbeddedS3 } from "../../bed/embedded-s3/server.ts";
import { testAccount } from "../../bed/s3-server.ts";
import { type NodeProcess, publishRequest, startNode } from "../bed/node-process.ts";

const test = suite<{ node: NodeProcess; s3: Awaited<ReturnType<typeof startEmbeddedS3>> }>("bad input to the node service");
test.before(async (context) => {
  context.s3 = await startEmbeddedS3({ key: testAccount, buckets: ["data"] });
  context.node = await startNode({ endpoint: context.s3.endpoint, region: "us-east-1", ...testAccount });
});
test.after(async ({ node, s3 }) => {
  await node.stop();
  await s3.stop();
});

const megabyte = "x".repeat(1_000_000);
const { INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED } = GrpcStatus;
const good = (node: NodeProcess) => publishRequest("data", node.target("pod"));
const mount = { $case: "mount" as const, mount: { fsType: "", mountFlags: [] as string[], volumeMountGroup: "" } };
const accessMode = { mode: Mode.MULTI_NODE_MULTI_WRITER };
type Call = (node: NodeProcess) => Promise<unknown>;

const cases: [title: string, code: number, text: RegExp, call: Call][] = [
  ["publish without a volume id", INVALID_ARGUMENT, /^Volume ID not provided/, (node) => node.call.nodePublishVolume({ ...good(node), volumeId: "" })],
  ["publish with nothing at all: the volume id is asked for first", INVALID_ARGUMENT, /^Volume ID not provided/, (node) => node.call.nodePublishVolume({})],
  ["publish without a bucket", INVALID_ARGUMENT, /^Bucket name not provided/, (node) => node.call.nodePublishVolume({ volumeId: "v" })],
  ["publish without a target", INVALID_ARGUMENT, /^Target path not provided/, (node) => node.call.nodePublishVolume({ volumeId: "v", volumeContext: { bucketName: "data" } })],
  ["publish without a capability", INVALID_ARGUMENT, /^Volume capability not provided/, (node) => node.call.nodePublishVolume({ ...good(node), volumeCapability: undefined })],
  ["publish as a block device", INVALID_ARGUMENT, /^Volume capability not supported/, (node) => node.call.nodePublishVolume({ ...good(node), volumeCapability: { accessType: { $case: "block", block: {} }, accessMode } })],
  ["publish with an unknown access mode", INVALID_ARGUMENT, /^Volume capability not supported/, (node) => node.call.nodePublishVolume({ ...good(node), volumeCapability: { accessType: mount, accessMode: { mode: 42 as Mode } } })],
  ["publish with a volume id of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodePublishVolume({ ...good(node), volumeId: megabyte })],
  ["publish with a line break in the volume id", INVALID_ARGUMENT, /control characters/, (node) => node.call.nodePublishVolume({ ...good(node), volumeId: "a\nb" })],
  ["publish with a target of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodePublishVolume({ ...good(node), targetPath: `${node.kubelet}/${megabyte}` })],
  ["publish outside of the kubelet directory", INVALID_ARGUMENT, /outside of the kubelet directory/, (node) => node.call.nodePublishVolume({ ...good(node), targetPath: "/etc/evil" })],
  ["publish by way of ..", INVALID_ARGUMENT, /not a normal absolute path/, (node) => node.call.nodePublishVolume({ ...good(node), targetPath: `${node.kubelet}/pods/../../../etc/evil` })],
  ["publish at a relative path", INVALID_ARGUMENT, /not a normal absolute path/, (node) => node.call.nodePublishVolume({ ...good(node), targetPath: "pods/x" })],
  ["publish over the plugin directory", INVALID_ARGUMENT, /plugins/, (node) => node.call.nodePublishVolume({ ...good(node), targetPath: `${node.kubelet}/plugins/s3.csi.scality.com/mnt/x` })],
  ["publish of a path as bucket", INVALID_ARGUMENT, /not a bucket name/, (node) => node.call.nodePublishVolume({ ...good(node), volumeContext: { bucketName: "../../etc" } })],
  ["publish of a bucket name of a megabyte", INVALID_ARGUMENT, /longer than|not a bucket name/, (node) => node.call.nodePublishVolume({ ...good(node), volumeContext: { bucketName: megabyte } })],
  ["publish with an unknown authentication source", INVALID_ARGUMENT, /use driver or secret/, (node) => node.call.nodePublishVolume({ ...good(node), volumeContext: { bucketName: "data", authenticationSource: "pod" } })],
  ["publish with a prefix that climbs", INVALID_ARGUMENT, /prefix/, (node) => node.call.nodePublishVolume({ ...good(node), volumeContext: { bucketName: "data", prefix: "../x/" } })],
  ["publish with an fsGroup that is no number", INVALID_ARGUMENT, /numeric/, (node) => node.call.nodePublishVolume(publishRequest("data", node.target("pod"), { fsGroup: "wheel" }))],
  ["publish with flags of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodePublishVolume(publishRequest("data", node.target("pod"), { flags: [megabyte] }))],
  ["publish with a secret of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodePublishVolume({ ...good(node), secrets: { access_key_id: megabyte } })],
  ["publish with half a secret", INVALID_ARGUMENT, /lacks secret_access_key/, (node) => node.call.nodePublishVolume(publishRequest("data", node.target("pod"), { context: { authenticationSource: "secret" }, secrets: { access_key_id: "AK" } }))],
  ["unpublish without a volume id", INVALID_ARGUMENT, /Volume ID not provided/, (node) => node.call.nodeUnpublishVolume({ targetPath: node.target("pod") })],
  ["unpublish without a target", INVALID_ARGUMENT, /Target path not provided/, (node) => node.call.nodeUnpublishVolume({ volumeId: "v" })],
  ["unpublish outside of the kubelet directory", INVALID_ARGUMENT, /outside/, (node) => node.call.nodeUnpublishVolume({ volumeId: "v", targetPath: "/proc" })],
  ["unpublish with an id of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodeUnpublishVolume({ volumeId: megabyte, targetPath: node.target("pod") })],
  ["stats without a volume id", INVALID_ARGUMENT, /Volume ID/, (node) => node.call.nodeGetVolumeStats({ volumePath: node.target("pod") })],
  ["stats without a path", INVALID_ARGUMENT, /path/i, (node) => node.call.nodeGetVolumeStats({ volumeId: "v" })],
  ["stats of a path that is no volume", NOT_FOUND, /no volume is published/, (node) => node.call.nodeGetVolumeStats({ volumeId: "v", volumePath: "/" })],
  ["stats of a path of a megabyte", INVALID_ARGUMENT, /longer than/, (node) => node.call.nodeGetVolumeStats({ volumeId: "v", volumePath: `/${megabyte}` })],
  ["health without a volume id", INVALID_ARGUMENT, /Volume ID/, (node) => node.call.nodeGetVolumeHealth({})],
  ["health of an unknown volume", NOT_FOUND, /not published/, (node) => node.call.nodeGetVolumeHealth({ volumeId: "nobody" })],
  ["staging", UNIMPLEMENTED, /not implemented/, (node) => node.call.nodeStageVolume({})],
  ["expansion", UNIMPLEMENTED, /not implemented/, (node) => node.call.nodeExpandVolume({})],
];
for (const [title, code, text, call] of cases) {
  test(title, async ({ node }) => {
    const error = await call(node).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    assert.ok(error, "it must fail");
    assert.is(grpcStatusOf(error), code, error.message.slice(0, 500));
    assert.match(error.message.replace(/^Could not mount .*?: /, ""), text);
    assert.ok(error.message.length < 1500, "a readable length");
    assert.equal([node.mounts(), node.daemons(), existsSync(node.target("pod"))], [[], [], false], "nothing is created");
  });
}

test.run();
