// What was asked of the server, for tests that assert requests per operation.
import type { Operation } from "./operations.ts";

export interface RequestRecord {
  readonly operation: Operation | "Unknown";
  readonly bucket: string;
  readonly key: string;
  readonly range?: string;
  readonly query: string;
  readonly status: number;
}

const keptRecords = 20_000;

export class Counters {
  readonly byOperation: Partial<Record<Operation | "Unknown", number>> = {};
  requests = 0;
  errors = 0;
  bodyBytesIn = 0;
  bodyBytesOut = 0;
  connections = 0;
  /** The last requests, oldest first. */
  readonly log: RequestRecord[] = [];

  of(...operations: Operation[]): number {
    return operations.reduce((sum, o) => sum + (this.byOperation[o] ?? 0), 0);
  }

  record(entry: RequestRecord, bytesIn: number, bytesOut: number): void {
    this.requests++;
    if (entry.status >= 400) this.errors++;
    this.byOperation[entry.operation] = (this.byOperation[entry.operation] ?? 0) + 1;
    this.bodyBytesIn += bytesIn;
    this.bodyBytesOut += bytesOut;
    this.log.push(entry);
    if (this.log.length > 2 * keptRecords) this.log.splice(0, keptRecords);
  }

  reset(): void {
    for (const name of Object.keys(this.byOperation)) delete this.byOperation[name as Operation];
    this.requests = 0;
    this.errors = 0;
    this.bodyBytesIn = 0;
    this.bodyBytesOut = 0;
    this.connections = 0;
    this.log.length = 0;
  }
}
