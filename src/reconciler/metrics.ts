// What the reconciler counts.
import { type Counter, type Histogram, MetricsRegistry } from "../telemetry/metrics.ts";
import type { Reconciler } from "./reconciler.ts";

export class ReconcilerMetrics {
  readonly #registry = new MetricsRegistry("s3csi_reconciler");
  readonly #requests: Counter = this.#registry.counter("api_requests_total", "Requests to the API server.");
  readonly #failures: Counter = this.#registry.counter("failures_total", "Reconciles that failed and were retried.");
  readonly #durations: Histogram = this.#registry.histogram("seconds", "How long a reconcile took.");

  readonly onRequest = (method: string, _path: string, status: number): void => {
    this.#requests.add(`method="${method}",code="${status}"`);
  };

  readonly onReconciled = (_key: string, milliseconds: number, failed: boolean): void => {
    this.#durations.observe(milliseconds / 1_000);
    if (failed) this.#failures.add();
  };

  /** Adds what the reconciler itself knows. */
  watch(reconciler: Reconciler): void {
    const { queue, view } = reconciler;
    this.#registry.gauge("leading", "1 when this process leads.", () => (reconciler.leading ? 1 : 0));
    this.#registry.gauge("queue_ready", "Keys that wait for a worker.", () => queue.counts.ready);
    this.#registry.gauge("queue_busy", "Keys that a worker has.", () => queue.counts.busy);
    this.#registry.gauge("queue_delayed", "Keys that wait for their time.", () => queue.counts.delayed);
    this.#registry.gauge("queue_failing", "Keys whose last reconcile failed.", () => queue.counts.failing);
    this.#registry.gauge("cached_pods", "Workloads and Mountpoint Pods known.", () => view.pods.store.size);
    this.#registry.gauge("cached_attachments", "Attachments known.", () => view.attachments.store.size);
  }

  text(): string {
    return this.#registry.text();
  }
}
