// Reads crds/*.yaml and refuses what would make a bad API: a level without a description, a type Kubernetes does not know.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { SourceFault, SourceFaults } from "../generator.ts";

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

export interface CrdVersion {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

export interface Crd {
  /** Relative to the repository root. */
  readonly file: string;
  readonly text: string;
  readonly spec: { readonly group: string; readonly names: { readonly kind: string }; readonly versions: readonly CrdVersion[] };
}

const types = ["object", "array", "string", "integer", "number", "boolean"];

export async function readCrds(root: string): Promise<Crd[]> {
  const files = (await readdir(path.join(root, "crds"))).filter((file) => file.endsWith(".yaml")).sort();
  const faults: SourceFault[] = [];
  const crds: Crd[] = [];
  for (const name of files) {
    const file = `crds/${name}`;
    const text = await readFile(path.join(root, file), "utf8");
    const source = new CrdFile(file, text);
    faults.push(...source.faults());
    crds.push({ file, text, spec: source.spec() });
  }
  if (faults.length > 0) throw new SourceFaults(faults);
  return crds;
}

type Step = string | number;

class CrdFile {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #faults: SourceFault[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines });
  }

  spec(): Crd["spec"] {
    return this.#document.toJS().spec;
  }

  faults(): readonly SourceFault[] {
    const [broken] = this.#document.errors;
    if (broken) return [new SourceFault(this.#file, this.#lines.linePos(broken.pos[0]).line, broken.message, "correct the YAML")];
    const object = this.#document.toJS();
    if (object?.kind !== "CustomResourceDefinition" || !Array.isArray(object.spec?.versions)) {
      return [new SourceFault(this.#file, 1, "this is not a CustomResourceDefinition with versions", "put one CRD into each file of crds/")];
    }
    for (const [index, version] of object.spec.versions.entries()) {
      const at = ["spec", "versions", index, "schema", "openAPIV3Schema"];
      if (!version.schema?.openAPIV3Schema) this.#report(at.slice(0, 3), "this version has no schema", "add schema.openAPIV3Schema");
      else this.#visit(version.schema.openAPIV3Schema, at, "");
    }
    return this.#faults;
  }

  #visit(schema: Schema, at: readonly Step[], field: string): void {
    const name = field === "" ? "the object itself" : `the field ${field}`;
    // Kubernetes describes metadata itself and refuses a description of ours.
    if (!schema.description?.trim() && field !== ".metadata") this.#report(at, `${name} has no description`, "add one: kubectl explain shows it to the user");
    const open = schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"];
    if (!(open && schema.type === undefined) && !types.includes(schema.type ?? "")) {
      this.#report([...at, "type"], `${name} has the unknown type ${JSON.stringify(schema.type)}`, `use one of ${types.join(", ")}`);
    }
    if (schema.type === "array" && !schema.items) this.#report(at, `${name} is an array without items`, "say what it holds under items");
    for (const required of schema.required ?? []) {
      if (!schema.properties?.[required]) {
        this.#report([...at, "required"], `${name} requires ${required}, which is not among its properties`, "add the property or drop the name");
      }
    }
    for (const [key, child] of Object.entries(schema.properties ?? {})) this.#visit(child, [...at, "properties", key], `${field}.${key}`);
    if (schema.items) this.#visit(schema.items, [...at, "items"], `${field}[]`);
    if (typeof schema.additionalProperties === "object") this.#visit(schema.additionalProperties, [...at, "additionalProperties"], `${field}.*`);
  }

  #report(at: readonly Step[], problem: string, remedy: string): void {
    this.#faults.push(new SourceFault(this.#file, this.#lineOf(at), problem, remedy));
  }

  /** The line of the deepest part of the path that exists. */
  #lineOf(at: readonly Step[]): number {
    for (let length = at.length; length > 0; length--) {
      const node = this.#document.getIn(at.slice(0, length), true);
      if (isNode(node) && node.range) return this.#lines.linePos(node.range[0]).line;
    }
    return 1;
  }
}
