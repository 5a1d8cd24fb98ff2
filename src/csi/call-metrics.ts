// How many CSI calls there were, how they ended and how long they took, in Prometheus' text format.
import { grpcStatusName, grpcStatusOf } from "../core/grpc-status.ts";

const bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

interface Call {
  readonly statuses: Map<string, number>;
  readonly buckets: number[];
  seconds: number;
}

type Handler = (request: never, context: never) => Promise<unknown>;

export class CallMetrics {
  readonly #calls = new Map<string, Call>();
  readonly #gauges: { readonly name: string; readonly help: string; readonly value: () => number }[] = [];

  /** The same handlers, counted. */
  measured<T extends object>(handlers: T): T {
    const entries = Object.entries(handlers).map(([name, handler]) => [name, this.#measured(name, handler as Handler)]);
    return Object.fromEntries(entries) as T;
  }

  gauge(name: string, help: string, value: () => number): void {
    this.#gauges.push({ name, help, value });
  }

  text(): string {
    const lines = ["# HELP s3csi_csi_calls_total CSI calls by method and gRPC status.", "# TYPE s3csi_csi_calls_total counter"];
    for (const [method, { statuses }] of this.#calls) {
      for (const [status, count] of statuses) lines.push(`s3csi_csi_calls_total{method="${method}",grpc_status="${status}"} ${count}`);
    }
    lines.push("# HELP s3csi_csi_call_seconds Duration of CSI calls.", "# TYPE s3csi_csi_call_seconds histogram");
    for (const [method, { buckets, seconds }] of this.#calls) {
      let sum = 0;
      for (const [index, count] of buckets.entries()) {
        sum += count;
        lines.push(`s3csi_csi_call_seconds_bucket{method="${method}",le="${bounds[index] ?? "+Inf"}"} ${sum}`);
      }
      lines.push(`s3csi_csi_call_seconds_sum{method="${method}"} ${seconds}`, `s3csi_csi_call_seconds_count{method="${method}"} ${sum}`);
    }
    for (const { name, help, value } of this.#gauges) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value()}`);
    return `${lines.join("\n")}\n`;
  }

  #measured(name: string, handler: Handler): Handler {
    return async (request, context) => {
      const began = performance.now();
      let status = "OK";
      try {
        return await handler(request, context);
      } catch (error) {
        status = grpcStatusName(grpcStatusOf(error));
        throw error;
      } finally {
        this.#record(name, status, (performance.now() - began) / 1000);
      }
    };
  }

  #record(method: string, status: string, seconds: number): void {
    const call = this.#calls.get(method) ?? { statuses: new Map(), buckets: new Array<number>(bounds.length + 1).fill(0), seconds: 0 };
    this.#calls.set(method, call);
    call.statuses.set(status, (call.statuses.get(status) ?? 0) + 1);
    const found = bounds.findIndex((bound) => seconds <= bound);
    const index = found < 0 ? bounds.length : found;
    call.buckets[index] = (call.buckets[index] ?? 0) + 1;
    call.seconds += seconds;
  }
}
