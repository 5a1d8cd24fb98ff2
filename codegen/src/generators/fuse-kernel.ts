// proto/fuse-kernel.yaml → generated/fuse/kernel.ts: the numbers of the ABI, and a typed encoder or decoder for each struct.
// They work on a Uint32Array over the message (the kernel's structs are aligned, and both our machines are little-endian):
// constant offsets, no call per field, no allocation but the result.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { type Generator, header, SourceFault, SourceFaults } from "../generator.ts";

const source = "proto/fuse-kernel.yaml";

export const fuseKernel: Generator = {
  name: "fuse-kernel",
  async generate(root) {
    const abi = parse(await readFile(path.join(root, source), "utf8")) as Abi;
    const faults = check(abi);
    if (faults.length > 0) throw new SourceFaults(faults);
    return new Map([["generated/fuse/kernel.ts", print(abi)]]);
  },
};

type Field = readonly [type: string, offset: number];
interface Struct {
  readonly use: "decode" | "encode" | "both";
  readonly size: number;
  readonly words?: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}
interface Opcode {
  readonly code: number;
  readonly body?: string;
  readonly names?: number;
  readonly payload?: boolean;
  readonly noReply?: boolean;
  readonly since?: number;
}
interface Abi {
  readonly version: { readonly major: number; readonly minor: number };
  readonly opcodes: Readonly<Record<string, Opcode>>;
  readonly capabilities: Readonly<Record<string, number>>;
  readonly notifications: Readonly<Record<string, number>>;
  readonly flags: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly ioctls: Readonly<Record<string, number>>;
  readonly structs: Readonly<Record<string, Struct>>;
}

const scalarSize: Readonly<Record<string, number>> = { u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, b64: 8 };

function check(abi: Abi): SourceFault[] {
  const faults: SourceFault[] = [];
  const fault = (where: string, problem: string, remedy: string) => faults.push(new SourceFault(source, where, problem, remedy));
  for (const [name, struct] of Object.entries(abi.structs)) {
    const where = `structs.${name}`;
    if (!["decode", "encode", "both"].includes(struct.use)) fault(where, `use is ${struct.use}`, "say decode, encode or both");
    if (struct.size % (struct.words ? 4 : 8) !== 0) fault(where, `size ${struct.size} is not aligned`, "correct the size or its fields");
    let end = 0;
    for (const [field, [type, offset]] of Object.entries(struct.fields)) {
      const size = scalarSize[type] ?? abi.structs[type]?.size;
      if (size === undefined) {
        fault(`${where}.${field}`, `type ${type} is unknown`, `use one of ${Object.keys(scalarSize).join(", ")} or a struct's name`);
        continue;
      }
      if (offset < end) fault(`${where}.${field}`, `stands at ${offset} and overlaps the field before, which ends at ${end}`, "correct the offset");
      if (offset > end) fault(`${where}.${field}`, `leaves a hole from ${end} to ${offset}`, "name the hole pad");
      if (offset % Math.min(size, 4) !== 0) fault(`${where}.${field}`, `stands at ${offset}, which is not aligned`, "correct the offset");
      end = offset + size;
    }
    if (end !== struct.size) fault(where, `its fields end at ${end}, its size is ${struct.size}`, "correct one of the two");
  }
  for (const [name, opcode] of Object.entries(abi.opcodes)) {
    if (opcode.body && !abi.structs[opcode.body]) fault(`opcodes.${name}`, `body ${opcode.body} is no struct`, "add the struct");
  }
  for (const [where, numbers] of numberSets(abi)) {
    const seen = new Map<number, string>();
    for (const [name, value] of Object.entries(numbers)) {
      const other = seen.get(value);
      if (other) fault(`${where}.${name}`, `has the number of ${other}`, "give each its own");
      seen.set(value, name);
    }
  }
  return faults;
}

function numberSets(abi: Abi): [string, Readonly<Record<string, number>>][] {
  return [
    ["opcodes", Object.fromEntries(Object.entries(abi.opcodes).map(([name, o]) => [name, o.code]))],
    ["capabilities", abi.capabilities],
    ["notifications", abi.notifications],
    ...Object.entries(abi.flags).map(([name, bits]): [string, Readonly<Record<string, number>>] => [`flags.${name}`, bits]),
  ];
}

function print(abi: Abi): string {
  const parts = [
    header(source).trimEnd(),
    `\nexport const abiMajor = ${abi.version.major};\nexport const abiMinor = ${abi.version.minor};\n`,
    constants("Opcode", Object.fromEntries(Object.entries(abi.opcodes).map(([name, o]) => [name, o.code]))),
    "export type OpcodeName = keyof typeof Opcode;\n",
    shapes(abi),
    "/** Bit numbers: below 32 in `flags`, from 32 on in `flags2`. */",
    constants("Capability", abi.capabilities),
    "export type CapabilityName = keyof typeof Capability;\n",
    constants("Notification", abi.notifications),
    ...Object.entries(abi.flags).map(([name, bits]) => constants(`${name}Flag`, Object.fromEntries(Object.entries(bits).map(([n, bit]) => [n, 1 << bit])))),
    constants("DeviceIoctl", abi.ioctls),
    "export const structSize = {",
    ...Object.entries(abi.structs).map(([name, s]) => `  ${camel(name)}: ${s.size},`),
    "} as const;\n",
    ...Object.entries(abi.structs).map(([name, struct]) => printStruct(name, struct)),
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

function constants(name: string, values: Readonly<Record<string, number>>): string {
  return `export const ${name} = {\n${Object.entries(values).map(([key, value]) => `  ${key}: ${value},`).join("\n")}\n} as const;\n`;
}

function shapes(abi: Abi): string {
  const rows = Object.entries(abi.opcodes).map(([name, o]) => {
    const bodySize = o.body ? abi.structs[o.body]?.size : 0;
    return `  ${o.code}: { name: "${name}", bodySize: ${bodySize}, names: ${o.names ?? 0}, payload: ${o.payload ?? false}, reply: ${!o.noReply} },`;
  });
  return `export interface RequestShape {
  readonly name: OpcodeName;
  /** Of the struct behind the header. */
  readonly bodySize: number;
  /** How many strings that end in NUL follow it. */
  readonly names: number;
  /** Whether free bytes follow those. */
  readonly payload: boolean;
  readonly reply: boolean;
}

export const requestShapes: Readonly<Record<number, RequestShape>> = {\n${rows.join("\n")}\n};\n`;
}

function printStruct(name: string, struct: Struct): string {
  const fields = Object.entries(struct.fields);
  const real = fields.filter(([field]) => !field.startsWith("pad"));
  if (real.length === 0) return "";
  const type = pascal(name);
  const lines = [`export interface ${type} {`, ...real.map(([field, [t]]) => `  readonly ${camel(field)}: ${typeOf(t)};`), "}\n"];
  if (struct.use !== "encode") {
    lines.push(`/** \`at\` counts words of 4 bytes. */`, `export function decode${type}(words: Uint32Array, at: number): ${type} {`, "  return {");
    for (const [field, [t, offset]] of real) lines.push(`    ${camel(field)}: ${decoded(t, offset)},`);
    lines.push("  };", "}\n");
  }
  if (struct.use !== "decode") {
    lines.push(`/** \`at\` counts words of 4 bytes. */`, `export function encode${type}(words: Uint32Array, at: number, value: ${type}): void {`);
    for (const [field, [t, offset]] of fields) lines.push(...encoded(t, offset, field.startsWith("pad") ? undefined : `value.${camel(field)}`));
    lines.push("}\n");
  }
  return lines.join("\n");
}

function typeOf(type: string): string {
  if (type === "b64") return "bigint";
  return type in scalarSize ? "number" : pascal(type);
}

function decoded(type: string, offset: number): string {
  const word = at(offset);
  const next = at(offset + 4);
  const read = (index: string) => `(words[${index}] as number)`;
  switch (type) {
    case "u16":
      return offset % 4 === 0 ? `${read(word)} & 0xffff` : `${read(at(offset - 2))} >>> 16`;
    case "u32":
      return `words[${word}] as number`;
    case "i32":
      return `${read(word)} | 0`;
    case "u64":
      return `${read(word)} + ${read(next)} * 0x1_0000_0000`;
    case "i64":
      return `${read(word)} + (${read(next)} | 0) * 0x1_0000_0000`;
    case "b64":
      return `BigInt(${read(word)}) | (BigInt(${read(next)}) << 32n)`;
    default:
      return `decode${pascal(type)}(words, ${word})`;
  }
}

function encoded(type: string, offset: number, value: string | undefined): string[] {
  const word = at(offset);
  const next = at(offset + 4);
  if (value === undefined) {
    // The lower half of a word, which comes first, has cleared the upper one.
    if (type === "u16") return offset % 4 === 0 ? [`  words[${word}] = 0;`] : [];
    return scalarSize[type] === 8 ? [`  words[${word}] = 0;`, `  words[${next}] = 0;`] : [`  words[${word}] = 0;`];
  }
  switch (type) {
    case "u16":
      return offset % 4 === 0 ? [`  words[${word}] = ${value} & 0xffff;`] : [`  words[${at(offset - 2)}] = (words[${at(offset - 2)}] as number) | (${value} << 16);`];
    case "u32":
    case "i32":
      return [`  words[${word}] = ${value};`];
    case "u64":
    case "i64": // a Uint32Array takes the number modulo 2^32, which is right for negative ones too
      return [`  words[${word}] = ${value};`, `  words[${next}] = Math.floor(${value} / 0x1_0000_0000);`];
    case "b64":
      return [`  words[${word}] = Number(${value} & 0xffffffffn);`, `  words[${next}] = Number((${value} >> 32n) & 0xffffffffn);`];
    default:
      return [`  encode${pascal(type)}(words, ${word}, ${value});`];
  }
}

function at(offset: number): string {
  return offset === 0 ? "at" : `at + ${offset / 4}`;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function pascal(name: string): string {
  const text = camel(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
