// As much XML as S3 needs: writing nested elements, and reading small request documents into a tree.
import { malformedXml } from "./s3-error.ts";

export type XmlValue = string | number | boolean | undefined | readonly XmlValue[] | XmlElement;
export interface XmlElement {
  readonly [name: string]: XmlValue;
}

export function writeXml(root: string, content: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${writeElements(content)}</${root}>`;
}

function writeElements(content: XmlElement): string {
  let text = "";
  for (const name in content) text += writeElement(name, content[name]);
  return text;
}

/** An array repeats its element. */
function writeElement(name: string, value: XmlValue): string {
  if (value === undefined) return "";
  if (isList(value)) return value.map((item) => writeElement(name, item)).join("");
  if (typeof value === "object") return `<${name}>${writeElements(value)}</${name}>`;
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must travel as references
const special = /[&<>"\x00-\x1f\x7f]/;

export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return text.replace(/[&<>"\x00-\x1f\x7f]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : c === ">" ? "&gt;" : c === '"' ? "&quot;" : `&#${c.charCodeAt(0)};`));
}

export interface XmlNode {
  readonly name: string;
  readonly children: XmlNode[];
  text: string;
}

export function readXml(document: string): XmlNode {
  const top: XmlNode = { name: "", children: [], text: "" };
  const open = [top];
  const token = /<(\/?)([A-Za-z0-9_:.-]+)[^>]*?(\/?)>|<[?!][^>]*>|([^<]+)/g;
  for (const [, closing, name, empty, text] of document.matchAll(token)) {
    const here = open.at(-1);
    if (!here) throw malformedXml();
    if (text !== undefined) here.text += unescapeXml(text);
    else if (name !== undefined && closing === "/") {
      if (open.pop()?.name !== name) throw malformedXml();
    } else if (name !== undefined) {
      const node: XmlNode = { name, children: [], text: "" };
      here.children.push(node);
      if (empty !== "/") open.push(node);
    }
  }
  const root = top.children[0];
  if (!root || open.length !== 1) throw malformedXml();
  return root;
}

export function child(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((c) => c.name === name);
}

export function textOf(node: XmlNode, name: string): string | undefined {
  return child(node, name)?.text;
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]+|#\d+|amp|lt|gt|quot|apos);/g, (_, entity: string) => {
    if (entity.startsWith("#x")) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity.startsWith("#")) return String.fromCodePoint(Number(entity.slice(1)));
    return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[entity] ?? "";
  });
}
