// What the user sees: one line a step, with what came out of it and how long it took.
import type { WriteStream } from "node:tty";

export class Screen {
  readonly #out: WriteStream;
  readonly #colours: boolean;

  constructor(out: WriteStream) {
    this.#out = out;
    this.#colours = out.isTTY === true && !process.env["NO_COLOR"];
  }

  title(text: string): void {
    this.#line(`\n${this.#paint(1, text)}\n`);
  }

  text(text: string): void {
    this.#line(text.replace(/^(?=.)/gm, "  "));
  }

  /** Runs it, shows what it took; its result may say what is worth showing. */
  async step<T>(name: string, run: () => Promise<T>, detail: (result: T) => string = () => ""): Promise<T> {
    const start = performance.now();
    // On a terminal the step is seen while it runs.
    if (this.#out.isTTY) this.#out.write(`  ${this.#paint(2, "…")} ${name}`);
    try {
      const result = await run();
      this.#finish(this.#paint(32, "✓"), name, detail(result), start);
      return result;
    } catch (thrown) {
      this.#finish(this.#paint(31, "✗"), name, "", start);
      throw thrown;
    }
  }

  /** A command as the user would type it, and what it prints. */
  command(command: string, output: string, ms: number): void {
    this.#line(`\n    ${this.#paint(36, `$ ${command}`)}  ${this.#paint(2, duration(ms))}`);
    if (output.trimEnd() !== "") this.#line(output.trimEnd().replace(/^/gm, "    "));
  }

  failure(text: string): void {
    this.#line(`\n${this.#paint(31, "It did not work:")} ${text}\n`);
  }

  #finish(mark: string, name: string, detail: string, start: number): void {
    const line = `  ${mark} ${name.padEnd(34)} ${duration(performance.now() - start).padStart(8)}   ${this.#paint(2, detail)}`;
    this.#out.write(`${this.#out.isTTY ? "\r\u001b[K" : ""}${line.trimEnd()}\n`);
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #paint(code: number, text: string): string {
    return this.#colours ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
