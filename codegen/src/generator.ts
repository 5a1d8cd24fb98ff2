// What every generator is: a function from the sources of truth to the text of files. It writes nothing itself, so that the same code
// serves `npm run codegen` (write) and `npm run codegen -- --check` (compare).

export interface Generator {
  readonly name: string;
  /** The files this generator owns, as paths relative to the repository root, with their whole content. */
  generate(root: string): Promise<ReadonlyMap<string, string>>;
}

/** A fault in a source of truth: where it stands, what is wrong, and what to do about it. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";

  /** @param where a line number or a path inside the file */
  constructor(file: string, where: number | string, problem: string, remedy: string) {
    super(`${file}:${typeof where === "number" ? where : ` ${where}`}: ${problem}\n    to do: ${remedy}`);
  }
}

/** All faults of one run, so that one run is enough to see them. */
export class SourceFaults extends Error {
  override readonly name = "SourceFaults";

  constructor(faults: readonly SourceFault[]) {
    super(faults.map((fault) => fault.message).join("\n"));
  }
}

/** The first lines of a generated TypeScript file. */
export function header(source: string): string {
  return `// Generated from ${source} by \`npm run codegen\`. Do not edit: change the source and run it again.\n`;
}
