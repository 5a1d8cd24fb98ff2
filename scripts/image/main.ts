// npm run image [-- --name REF] [--out FILE]: the driver's image as an OCI archive, without a container engine.
// npm run image -- --rootfs DIR: only its root file system, for the Dockerfile.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { buildImage, buildRootfs } from "./build-image.ts";

const { values } = parseArgs({ options: { name: { type: "string" }, out: { type: "string" }, rootfs: { type: "string" } } });
if (values.rootfs) {
  await mkdir(values.rootfs, { recursive: true });
  await buildRootfs(values.rootfs);
} else {
  const start = performance.now();
  const image = await buildImage(values);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${image.name}  ${(image.size / 1e6).toFixed(1)} MB  ${image.digest}  (${seconds} s)
${image.file}

Into containerd: ctr -n k8s.io images import ${image.file}
Into docker:     docker load -i ${image.file}
To a registry:   skopeo copy oci-archive:${image.file} docker://your.registry/${image.name}`);
}
