// Long work says what it does, how long it takes as a rule, and that it is still alive.

export type Report = (line: string) => void;

export interface Progress {
  readonly title: string;
  readonly expectedSeconds: number;
  readonly report: Report;
}

export function reportOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

const everyMs = 10_000;

export async function withProgress<T>(progress: Progress, run: (detail: (text: string) => void) => Promise<T>): Promise<T> {
  const { title, expectedSeconds, report } = progress;
  const start = performance.now();
  const elapsed = () => readable((performance.now() - start) / 1000);
  let detail = "";
  report(`${title}: getting it, about ${readable(expectedSeconds)} the first time`);
  const ticker = setInterval(
    () => report(`${title}: ${elapsed()} of about ${readable(expectedSeconds)}${detail && ` (${detail})`}`),
    everyMs,
  );
  ticker.unref();
  try {
    const result = await run((text) => {
      detail = text.trim().slice(0, 70);
    });
    report(`${title}: done in ${elapsed()}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

function readable(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
