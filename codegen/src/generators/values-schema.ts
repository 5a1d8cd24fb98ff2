// chart/values.schema.json: refuses unknown and wrong Helm values before anything is installed.
import { helmPath, type SettingSource, settingsFile } from "./settings-source.ts";

interface JsonSchema {
  [key: string]: unknown;
  properties?: Record<string, JsonSchema>;
}

export function valuesSchema(settings: readonly SettingSource[]): string {
  const root: JsonSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: `Generated from ${settingsFile} by npm run codegen. Do not edit: change the source and run it again.`,
    title: "Values of the S3 CSI driver's chart",
    ...branch(),
  };
  for (const setting of settings) {
    const path = helmPath(setting);
    if (path) insert(root, path.split("."), { description: setting.description, ...withDefault(setting), ...schemaOf(setting) });
  }
  // Helm itself puts this among the values.
  Object.assign(root.properties ?? {}, { global: { type: "object" } });
  return `${JSON.stringify(root, undefined, 2)}\n`;
}

function branch(): JsonSchema {
  return { type: "object", additionalProperties: false, properties: {} };
}

function insert(parent: JsonSchema, [head = "", ...rest]: readonly string[], leaf: JsonSchema): void {
  parent.properties ??= {};
  if (rest.length === 0) parent.properties[head] = leaf;
  else {
    parent.properties[head] ??= branch();
    insert(parent.properties[head], rest, leaf);
  }
}

function withDefault(setting: SettingSource): JsonSchema {
  const value = setting.helmDefault ?? setting.default;
  return value === undefined ? {} : { default: value };
}

const text = { type: "string" };
const textMap = { type: "object", additionalProperties: { type: "string" } };
const openObjects = { type: "array", items: { type: "object" } };
/** Kubernetes takes a number for a quantity as well as a text. */
const quantity = { type: ["string", "number"], pattern: "^([0-9]+(\\.[0-9]+)?([eE][0-9]+|m|k|[KMGTPE]i?)?)?$" };
const quantities = { type: "object", additionalProperties: quantity };
const pullPolicy = { type: "string", enum: ["", "IfNotPresent", "Always", "Never"] };

function schemaOf(setting: SettingSource): JsonSchema {
  switch (setting.type) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", ...limits(setting) };
    case "port":
      return { type: "integer", minimum: 0, maximum: 65535 };
    case "duration":
      return { type: "string", pattern: "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$" };
    case "enum":
      return { type: "string", enum: setting.values };
    case "url":
      return { type: "string", pattern: "^(https?://[^\\s/]+.*)?$" };
    case "path":
      return { type: "string", pattern: "^(/.*)?$" };
    case "quantity":
      return quantity;
    case "list":
      return { type: "array", items: text };
    case "map":
    case "labels":
    case "nodeSelector":
      return textMap;
    case "logLevel":
      return { anyOf: [{ type: "integer", minimum: 0, maximum: 10 }, { enum: ["error", "warn", "info", "debug", "trace"] }] };
    case "resources":
      return { type: "object", additionalProperties: false, properties: { requests: quantities, limits: quantities, claims: openObjects } };
    case "image":
      return {
        type: "object",
        additionalProperties: false,
        properties: { repository: text, tag: text, pullPolicy, containerRegistry: text },
      };
    case "seLinuxOptions":
      return { type: "object", additionalProperties: false, properties: { user: text, type: text, role: text, level: text } };
    case "tolerations":
      return {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          properties: { key: text, operator: { enum: ["Exists", "Equal", "Lt", "Gt"] }, value: text, effect: text, tolerationSeconds: { type: "integer" } },
        },
      };
    case "affinity":
    case "object":
      return { type: "object" };
    case "env":
    case "volumes":
    case "array":
      return openObjects;
    case "string":
      return text;
    default:
      return setting.type satisfies never;
  }
}

function limits({ minimum, maximum }: SettingSource): JsonSchema {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}
