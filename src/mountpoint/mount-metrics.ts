// What a mount counts, for Prometheus and for its status.
import type { RequestObserver } from "../s3/requester.ts";
import { MetricsRegistry } from "../telemetry/metrics.ts";

export class MountMetrics {
  readonly registry = new MetricsRegistry("s3csi_mount");
  readonly observer: RequestObserver;
  #lastSuccessMs: number | undefined;
  #trouble = "";

  constructor() {
    const requests = this.registry.counter("s3_requests_total", "Requests to S3 by operation and outcome.");
    const seconds = this.registry.histogram("s3_request_seconds", "How long requests to S3 took, body included.");
    const retries = this.registry.counter("s3_retries_total", "Requests to S3 that were tried again, by cause.");
    this.registry.gauge("resident_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
    this.registry.counted("cpu_seconds_total", "Processor time of the process.", () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6);
    this.observer = {
      onAttempt: (operation, outcome, durationMs) => {
        requests.add(`operation="${operation}",outcome="${outcome}"`);
        seconds.observe(durationMs / 1000, `operation="${operation}"`);
        // A refusal is an answer too: S3 is there and works.
        if (outcome === "ok" || outcome === "NotFound" || outcome === "Stale" || outcome === "AlreadyExists") {
          this.#lastSuccessMs = performance.now();
          this.#trouble = "";
        }
      },
      onRetry: (operation, error) => {
        retries.add(`operation="${operation}",cause="${error.code}"`);
        this.#trouble = error.message;
      },
    };
  }

  /** What is wrong with S3 at the moment; empty when all is well. */
  get trouble(): string {
    return this.#trouble;
  }

  get secondsSinceSuccess(): number {
    return this.#lastSuccessMs === undefined ? -1 : (performance.now() - this.#lastSuccessMs) / 1000;
  }
}
