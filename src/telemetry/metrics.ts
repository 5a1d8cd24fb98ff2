// Counters, gauges and histograms in Prometheus' text format. Labels are given as they are to be printed, so that a hot path
// can keep the text.

const defaultBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  lines(): string[];
}

export interface Counter {
  add(labels?: string, by?: number): void;
}

export interface Histogram {
  observe(seconds: number, labels?: string): void;
}

export class MetricsRegistry {
  readonly #prefix: string;
  readonly #families: Family[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  counter(name: string, help: string): Counter {
    const values = new Map<string, number>();
    this.#add(name, help, "counter", (full) => [...values].map(([labels, value]) => `${full}${braced(labels)} ${value}`));
    return { add: (labels = "", by = 1) => void values.set(labels, (values.get(labels) ?? 0) + by) };
  }

  /** Asked when somebody looks. */
  gauge(name: string, help: string, value: () => number): void {
    this.#add(name, help, "gauge", (full) => [`${full} ${value()}`]);
  }

  /** A count that somebody else keeps. */
  counted(name: string, help: string, value: () => number): void {
    this.#add(name, help, "counter", (full) => [`${full} ${value()}`]);
  }

  histogram(name: string, help: string, bounds: readonly number[] = defaultBounds): Histogram {
    const series = new Map<string, { readonly counts: number[]; sum: number }>();
    this.#add(name, help, "histogram", (full) => [...series].flatMap(([labels, { counts, sum }]) => histogramLines(full, labels, bounds, counts, sum)));
    return {
      observe: (seconds, labels = "") => {
        let one = series.get(labels);
        if (!one) series.set(labels, (one = { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }));
        const at = bounds.findIndex((bound) => seconds <= bound);
        const index = at < 0 ? bounds.length : at;
        one.counts[index] = (one.counts[index] ?? 0) + 1;
        one.sum += seconds;
      },
    };
  }

  text(): string {
    return this.#families.map((f) => [`# HELP ${f.name} ${f.help}`, `# TYPE ${f.name} ${f.type}`, ...f.lines(), ""].join("\n")).join("");
  }

  #add(name: string, help: string, type: Family["type"], lines: (full: string) => string[]): void {
    const full = `${this.#prefix}_${name}`;
    this.#families.push({ name: full, help, type, lines: () => lines(full) });
  }
}

function histogramLines(full: string, labels: string, bounds: readonly number[], counts: readonly number[], sum: number): string[] {
  const before = labels === "" ? "" : `${labels},`;
  let total = 0;
  const buckets = counts.map((count, i) => `${full}_bucket{${before}le="${bounds[i] ?? "+Inf"}"} ${(total += count)}`);
  return [...buckets, `${full}_sum${braced(labels)} ${sum}`, `${full}_count${braced(labels)} ${total}`];
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}
