// Events on objects, for people who run `kubectl describe`. Said once; the same thing again only counts up, and a noisy object
// is held to a few lines, as in client-go: events are the first thing that can flood an API server.
import { createHash } from "node:crypto";
import { explain, hasCode } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { KubeClient } from "./client.ts";
import { events } from "./resources.ts";

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid: string;
}

export interface EventText {
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** One sentence, for people. */
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly component: string;
  readonly instance: string;
  readonly now?: () => number;
  /** The same event on the same object is counted up at most this often. */
  readonly repeatMs?: number;
  /** Different events on one object: this many at once, then one more each refillMs. */
  readonly burst?: number;
  readonly refillMs?: number;
}

interface Said {
  readonly firstAt: number;
  lastAt: number;
  count: number;
}

const remembered = 8_192;

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #said = new Map<string, Said>();
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** True when it was written. Never throws: nobody's work may fail for want of an event. */
  async record(subject: EventSubject, text: EventText, signal?: AbortSignal): Promise<boolean> {
    const now = (this.#options.now ?? Date.now)();
    const name = eventName(subject, text);
    const said = this.#said.get(name);
    if (said && now - said.lastAt < (this.#options.repeatMs ?? 600_000)) return false;
    if (!this.#take(subject.uid, now)) return false;
    const next = { firstAt: said?.firstAt ?? now, lastAt: now, count: (said?.count ?? 0) + 1 };
    remember(this.#said, name, next);
    try {
      await this.#write(name, subject, text, next, signal);
      return true;
    } catch (error) {
      this.#said.delete(name);
      this.#options.log.debug("event not written", { object: subject.name, reason: text.reason, cause: explain(error) });
      return false;
    }
  }

  async #write(name: string, subject: EventSubject, text: EventText, said: Said, signal: AbortSignal | undefined): Promise<void> {
    const { client, component, instance } = this.#options;
    const namespace = subject.namespace ?? "default";
    const lastTimestamp = new Date(said.lastAt).toISOString();
    const { apiVersion, kind, uid } = subject;
    const event = {
      metadata: { name, namespace },
      involvedObject: { apiVersion, kind, uid, name: subject.name, ...(subject.namespace ? { namespace } : {}) },
      ...text,
      count: said.count,
      firstTimestamp: new Date(said.firstAt).toISOString(),
      lastTimestamp,
      source: { component, host: instance },
      reportingComponent: component,
      reportingInstance: instance,
    };
    try {
      if (said.count === 1) await client.create(events, event, { signal });
      else await client.patch(events, { name, namespace }, { count: said.count, lastTimestamp }, { signal });
    } catch (error) {
      // Written by an earlier leader, or expired since: the name is derived, so either way the other verb fits.
      if (hasCode(error, "AlreadyExists")) await client.patch(events, { name, namespace }, { lastTimestamp }, { signal });
      else if (said.count > 1 && hasCode(error, "NotFound")) await client.create(events, event, { signal });
      else throw error;
    }
  }

  #take(uid: string, now: number): boolean {
    const burst = this.#options.burst ?? 10;
    const bucket = this.#buckets.get(uid) ?? { tokens: burst, at: now };
    const refilled = Math.min(burst, bucket.tokens + (now - bucket.at) / (this.#options.refillMs ?? 60_000));
    remember(this.#buckets, uid, { tokens: refilled >= 1 ? refilled - 1 : refilled, at: now });
    return refilled >= 1;
  }
}

/** Derived, so that a second leader that says the same thing meets the first one's event instead of adding another. */
function eventName(subject: EventSubject, text: EventText): string {
  const hash = createHash("sha256").update([subject.uid, text.type, text.reason, text.message].join("\0")).digest("hex");
  return `${subject.name.slice(0, 200)}.${hash.slice(0, 16)}`;
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > remembered) for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}
