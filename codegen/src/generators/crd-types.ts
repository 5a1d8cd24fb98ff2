// crds/*.yaml → generated/crd/<kind>.ts: plain types, for everyone.
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from "openapi-typescript";
import ts from "typescript";
import { type Generator, header } from "../generator.ts";
import { type Crd, type CrdVersion, readCrds, type Schema } from "./crd-source.ts";

export const crdTypes: Generator = {
  name: "crd-types",
  async generate(root) {
    const files = new Map<string, string>();
    for (const crd of await readCrds(root)) {
      for (const version of crd.spec.versions) {
        // One version is the rule; more of them get folders of their own.
        const folder = crd.spec.versions.length === 1 ? "" : `${version.name}/`;
        files.set(`generated/crd/${folder}${kebab(crd.spec.names.kind)}.ts`, await typesFile(crd, version));
      }
    }
    return files;
  },
};

const objectMeta = ts.factory.createTypeReferenceNode("ObjectMeta");
const openObject = ts.factory.createTypeReferenceNode("Record", [
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword),
]);

async function typesFile(crd: Crd, version: CrdVersion): Promise<string> {
  const { kind } = crd.spec.names;
  const { group } = crd.spec;
  const document: OpenAPI3 = {
    openapi: "3.0.3",
    info: { title: kind, version: version.name },
    paths: {},
    components: { schemas: { [kind]: withTypeMeta(version.schema.openAPIV3Schema, `${group}/${version.name}`, kind) as SchemaObject } },
  };
  const ast = await openapiTS(document, {
    alphabetize: false,
    // A default is filled in by the API server, so what we write may lack it.
    defaultNonNullable: false,
    transform(schema, { path }) {
      if (path === `#/components/schemas/${kind}/metadata`) return objectMeta;
      if ((schema as Schema)["x-kubernetes-preserve-unknown-fields"]) return openObject;
      return undefined;
    },
  });
  const schemas = astToString(ast.filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === "components"));
  return `${header(crd.file)}import type { IObjectMeta as ObjectMeta } from "@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta";

export const group = ${JSON.stringify(group)};
export const version = ${JSON.stringify(version.name)};
export const kind = ${JSON.stringify(kind)};
export const plural = ${JSON.stringify((crd.spec.names as { plural?: string }).plural)};

export type ${kind} = components["schemas"]["${kind}"];

${schemas.trimEnd()}
`;
}

/** Every object of the API carries these three, which a CRD's schema may leave optional. */
function withTypeMeta(schema: Schema, apiVersion: string, kind: string): Schema {
  const { properties = {} } = schema;
  return {
    ...schema,
    required: [...new Set(["apiVersion", "kind", "metadata", ...(schema.required ?? [])])],
    properties: {
      ...properties,
      apiVersion: { ...properties.apiVersion, enum: [apiVersion] },
      kind: { ...properties.kind, enum: [kind] },
    },
  };
}

export function kebab(kind: string): string {
  return kind.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2").toLowerCase();
}
