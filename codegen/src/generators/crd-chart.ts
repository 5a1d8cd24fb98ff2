// crds/*.yaml → chart/files/crds: Helm reads no file outside the chart.
import type { Generator } from "../generator.ts";
import { readCrds } from "./crd-source.ts";

export const crdChart: Generator = {
  name: "crd-chart",
  async generate(root) {
    return new Map((await readCrds(root)).map((crd) => [`chart/files/${crd.file}`, `# Generated from ${crd.file} by npm run codegen.\n${crd.text}`]));
  },
};
