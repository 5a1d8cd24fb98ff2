// codegen/settings.schema.json → generated/settings, docs/settings.md and the chart's generated parts.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Generator } from "../generator.ts";
import { chartReadme } from "./settings-readme.ts";
import { settingsDocument } from "./settings-document.ts";
import { readSettings } from "./settings-source.ts";
import { chartTemplate } from "./settings-template.ts";
import { settingsTypes } from "./settings-types.ts";
import { valuesSchema } from "./values-schema.ts";

export const settings: Generator = {
  name: "settings",
  async generate(root) {
    const source = await readSettings(root);
    const readme = await readFile(path.join(root, "chart/README.md"), "utf8").catch(() => undefined);
    return new Map([
      ...settingsTypes(source),
      ["docs/settings.md", settingsDocument(source)],
      ["chart/values.schema.json", valuesSchema(source)],
      ["chart/templates/_settings.tpl", chartTemplate(source)],
      ["chart/README.md", chartReadme(readme, source)],
    ]);
  },
};
