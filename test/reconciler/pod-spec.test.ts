import { test } from "uvu";
import * as assert from "uvu/assert";
import { labelValue } from "../../src/reconciler/names.ts";
import type { Volume } from "../../src/reconciler/observed-volumes.ts";
import { type MountpointPodRequest, mountpointPod } from "../../src/reconciler/pod-spec.ts";
import { attachmentName, keyText, mountpointPodName, parseKeyText } from "../../src/reconciler/sharing-key.ts";
import { testSettings } from "./scene.ts";

const key = { nodeName: "node-1", persistentVolumeName: "pv", volumeID: "handle", mountOptions: "cache /tmp/x,allow-delete", workloadFSGroup: "" };
const volume = (attributes: Record<string, string> = {}, mountOptions: string[] = []): Volume => ({
  metadata: { name: "pv", uid: "u", resourceVersion: "1" },
  volumeHandle: "handle",
  mountOptions,
  attributes,
  claim: "default/pv",
});
const request = (more: Partial<MountpointPodRequest> = {}): MountpointPodRequest => ({
  name: mountpointPodName(key, 0),
  key,
  volume: volume(),
  workloadUid: "11111111-1111-1111-1111-111111111111",
  driverVersion: "2.3.0",
  openShift: false,
  headroom: false,
  ...more,
});

test("names are derived from the five fields, in the original's format", () => {
  assert.match(attachmentName(key), /^s3pa-[0-9a-f]{56}$/);
  assert.match(mountpointPodName(key, 0), /^mp-[0-9a-f]{56}$/);
  assert.is(attachmentName(key), attachmentName({ ...key }));
  for (const field of Object.keys(key) as (keyof typeof key)[]) assert.is.not(attachmentName(key), attachmentName({ ...key, [field]: `${key[field]}x` }), field);
  assert.is.not(mountpointPodName(key, 0), mountpointPodName(key, 1));
  assert.is.not(attachmentName({ ...key, nodeName: "ab", persistentVolumeName: "c" }), attachmentName({ ...key, nodeName: "a", persistentVolumeName: "bc" }));
});

test("a key survives its text, and other texts are no keys", () => {
  assert.equal(parseKeyText(keyText(key)), key);
  for (const text of ["", "{}", "[]", '["a"]', "[1,2,3,4,5]", "not json"]) assert.is(parseKeyText(text), undefined);
});

test("the documented spec", () => {
  const pod = mountpointPod(testSettings(), request());
  const [container] = pod.spec?.containers ?? [];
  assert.is(pod.metadata?.namespace, "mount-s3");
  assert.is(pod.metadata?.labels?.["s3.csi.scality.com/volume-name"], "pv");
  assert.is(pod.metadata?.labels?.["s3.csi.scality.com/pod-uid"], request().workloadUid);
  assert.is(pod.metadata?.labels?.["s3.csi.scality.com/mounted-by-csi-driver-version"], "2.3.0");
  assert.is(pod.metadata?.labels?.["s3.csi.scality.com/mountpoint-version"], "2.3.0");
  assert.is(pod.spec?.restartPolicy, "OnFailure");
  assert.is(pod.spec?.priorityClassName, "mount-s3-critical");
  assert.equal(pod.spec?.tolerations, [{ operator: "Exists" }]);
  assert.is(pod.spec?.securityContext?.fsGroup, 1000);
  assert.equal(pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]?.matchFields, [
    { key: "metadata.name", operator: "In", values: ["node-1"] },
  ]);
  assert.is(container?.name, "mountpoint");
  assert.equal(container?.command, ["/bin/scality-s3-csi-mounter"]);
  assert.is(container?.securityContext?.runAsUser, 1000);
  assert.is(container?.securityContext?.readOnlyRootFilesystem, true);
  assert.equal(pod.spec?.volumes?.find((item) => item.name === "comm"), { name: "comm", emptyDir: { medium: "Memory", sizeLimit: "10Mi" } });
  assert.equal(container?.volumeMounts?.find((item) => item.name === "comm"), { name: "comm", mountPath: "/comm" });
});

test("what the original lacks", () => {
  const settings = testSettings({ mountpointImagePullSecrets: ["registry"], mountpointLabels: { team: "a", "s3.csi.scality.com/pod-uid": "forged" }, mountpointAnnotations: { note: "b" } });
  const pod = mountpointPod(settings, request());
  const [container] = pod.spec?.containers ?? [];
  assert.is(pod.spec?.terminationGracePeriodSeconds, 600);
  assert.is(pod.metadata?.annotations?.["cluster-autoscaler.kubernetes.io/daemonset-pod"], "true");
  assert.equal(pod.spec?.imagePullSecrets, [{ name: "registry" }]);
  assert.is(pod.metadata?.labels?.team, "a");
  assert.is(pod.metadata?.labels?.["s3.csi.scality.com/pod-uid"], request().workloadUid, "settings never replace the driver's own labels");
  assert.is(pod.metadata?.annotations?.note, "b");
  assert.is(container?.livenessProbe?.httpGet?.path, "/healthz");
  assert.is(container?.readinessProbe?.httpGet?.path, "/readyz");
  assert.is(container?.livenessProbe?.httpGet?.port, container?.ports?.[0]?.containerPort);
  assert.equal(container?.resources?.requests, { cpu: "10m", memory: "128Mi" });
  assert.is(pod.spec?.automountServiceAccountToken, false);
});

test("resources and service account from the volume's attributes", () => {
  const attributes = { mountpointContainerResourcesRequestsCpu: "1", mountpointContainerResourcesLimitsMemory: "64Mi", mountpointPodServiceAccountName: "tenant" };
  const pod = mountpointPod(testSettings(), request({ volume: volume(attributes) }));
  assert.equal(pod.spec?.containers[0]?.resources, { requests: { cpu: "1" }, limits: { memory: "64Mi" } });
  assert.is(pod.spec?.serviceAccountName, "tenant");
});

for (const option of ["cache /tmp/x", "--cache=/tmp/x", "cache=/x", "--cache /x", " cache  /x "]) {
  test(`a cache volume for the mount option "${option}"`, () => {
    const pod = mountpointPod(testSettings(), request({ volume: volume({}, ["allow-delete", option]) }));
    assert.equal(pod.spec?.volumes?.find((item) => item.name === "cache"), { name: "cache", emptyDir: { sizeLimit: "10Gi" } });
    assert.is(pod.spec?.containers[0]?.volumeMounts?.find((item) => item.name === "cache")?.mountPath, "/cache");
  });
}

test("no cache volume without the option; in memory and of another size where asked", () => {
  const none = mountpointPod(testSettings(), request({ volume: volume({}, ["max-cache-size 5", "cached"]) }));
  assert.is(none.spec?.volumes?.find((item) => item.name === "cache"), undefined);
  const asked = mountpointPod(testSettings({ mountpointCacheMedium: "memory" }), request({ volume: volume({ cacheEmptyDirSizeLimit: "1Gi" }, ["cache /x"]) }));
  assert.equal(asked.spec?.volumes?.find((item) => item.name === "cache")?.emptyDir, { medium: "Memory", sizeLimit: "1Gi" });
});

test("the CA bundle, OpenShift, headroom, and a volume that is gone", () => {
  const tls = mountpointPod(testSettings({ tlsCaCertConfigMap: "ca" }), request());
  assert.equal(tls.spec?.volumes?.find((item) => item.name === "custom-ca-cert")?.configMap, { name: "ca" });
  assert.ok(tls.spec?.containers[0]?.env?.some((item) => item.name === "AWS_CA_BUNDLE" && item.value?.endsWith("/ca-bundle.crt")));
  const openShift = mountpointPod(testSettings(), request({ openShift: true }));
  assert.is(openShift.spec?.securityContext?.fsGroup, undefined);
  assert.is(openShift.spec?.containers[0]?.securityContext?.runAsUser, undefined);
  assert.is(mountpointPod(testSettings(), request({ headroom: true })).spec?.priorityClassName, "mount-s3-preempting");
  assert.ok(mountpointPod(testSettings(), request({ volume: undefined })));
});

test("volume names longer than a label stand in full in an annotation and hashed in the label", () => {
  const long = "v".repeat(200);
  const pod = mountpointPod(testSettings(), request({ key: { ...key, persistentVolumeName: long, volumeID: "s3://bucket/with/slashes" } }));
  assert.is(pod.metadata?.annotations?.["s3.csi.scality.com/volume-name"], long);
  assert.is(pod.metadata?.annotations?.["s3.csi.scality.com/volume-id"], "s3://bucket/with/slashes");
  for (const value of Object.values(pod.metadata?.labels ?? {})) assert.match(value, /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
  assert.is(labelValue("short"), "short");
});

test.run();
