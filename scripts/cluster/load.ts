// npm run cluster:load -- image.tar…: images from OCI archives into every node of the cluster that cluster:up made.
import path from "node:path";
import { importImage } from "./import-image.ts";

const archives = process.argv.slice(2);
if (archives.length === 0) {
  console.error("Which archive? npm run cluster:load -- image.tar");
  process.exitCode = 2;
}
for (const archive of archives) console.log((await importImage(path.resolve(archive))).join("\n"));
