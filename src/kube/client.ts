// The verbs of the Kubernetes API, typed by the resource. Nothing is retried here: who calls knows whether its plan still holds.
import type { Connection } from "./connection.ts";
import { connect, type ConnectionOptions } from "./connection.ts";
import { type KubeObject, type ObjectRef, type Resource, resourcePath } from "./resource.ts";
import { type RequestObserver, Transport } from "./transport.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

export interface PageEnd {
  readonly resourceVersion: string;
  /** Where the next page begins; undefined after the last one. */
  readonly continue: string | undefined;
}

export interface Page<T> extends PageEnd {
  readonly items: T[];
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: "status" | "eviction" | "binding";
  readonly fieldManager?: string;
}

/** The server refuses with Conflict when the object is not this one any more. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface DeleteOptions extends CallOptions, Preconditions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
}

export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: T;
}

const fieldManager = "s3-csi-driver";

export class KubeClient {
  readonly transport: Transport;

  constructor(connection: Connection, observe?: RequestObserver) {
    this.transport = new Transport(connection, observe);
  }

  static async connect(options?: ConnectionOptions, observe?: RequestObserver): Promise<KubeClient> {
    return new KubeClient(await connect(options), observe);
  }

  async get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, options: CallOptions = {}): Promise<T> {
    return (await this.transport.json("GET", resourcePath(resource, ref), options)) as T;
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<Page<T>> {
    const items: T[] = [];
    return { items, ...(await this.listEach(resource, options, (item) => items.push(item))) };
  }

  /** A list whose items are handed over one by one as they arrive, and not kept. */
  async listEach<T extends KubeObject>(resource: Resource<T>, options: ListOptions, onItem: (item: T) => void): Promise<PageEnd> {
    const { signal, namespace, labelSelector, fieldSelector, limit, resourceVersion } = options;
    const query = { labelSelector, fieldSelector, limit, resourceVersion, continue: options.continue };
    const path = resourcePath(resource, listScope(namespace));
    const rest = (await this.transport.items(path, { query, signal }, (item) => onItem(item as T))) as {
      metadata?: { resourceVersion?: string; continue?: string };
    };
    return { resourceVersion: rest.metadata?.resourceVersion ?? "", continue: rest.metadata?.continue || undefined };
  }

  /** One watch request, until the server ends it. Informers are made of this; nobody else should need it. */
  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions & { readonly timeoutSeconds: number; readonly idleMs: number },
  ): AsyncGenerator<WatchEvent<T>> {
    const { signal, namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds, idleMs } = options;
    const query = { watch: true, allowWatchBookmarks: true, labelSelector, fieldSelector, resourceVersion, timeoutSeconds };
    for await (const line of this.transport.lines(resourcePath(resource, listScope(namespace)), { query, signal, idleMs })) {
      if (line !== "") yield JSON.parse(line) as WatchEvent<T>;
    }
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const ref = options.subresource ? { name: object.metadata?.name ?? "", ...namespaceOf(object) } : namespaceOf(object);
    const body = { ...object, apiVersion: object.apiVersion ?? resource.apiVersion, kind: object.kind ?? resource.kind };
    const query = { fieldManager: options.fieldManager ?? fieldManager };
    return (await this.transport.json("POST", resourcePath(resource, ref, options.subresource), { query, body, signal: options.signal })) as T;
  }

  /** Writes the whole object; its resourceVersion and uid, when present, are preconditions. */
  async replace<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const ref = { name: object.metadata?.name ?? "", ...namespaceOf(object) };
    const body = { ...object, apiVersion: resource.apiVersion, kind: resource.kind };
    const query = { fieldManager: options.fieldManager ?? fieldManager };
    return (await this.transport.json("PUT", resourcePath(resource, ref, options.subresource), { query, body, signal: options.signal })) as T;
  }

  /** A JSON merge patch: null removes a field. metadata.resourceVersion and metadata.uid inside it are preconditions. */
  async patch<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, patch: object, options: WriteOptions = {}): Promise<T> {
    return this.#patch(resource, ref, patch, "application/merge-patch+json", options);
  }

  /** A JSON patch (RFC 6902): for "test" before "remove". */
  async jsonPatch<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, patch: readonly object[], options: WriteOptions = {}): Promise<T> {
    return this.#patch(resource, ref, patch, "application/json-patch+json", options);
  }

  /** Server-side apply, taking over the fields from other managers. Creates the object when it is not there, unless it names a uid. */
  async apply<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const ref = { name: object.metadata?.name ?? "", ...namespaceOf(object) };
    const body = { ...object, apiVersion: resource.apiVersion, kind: resource.kind };
    return this.#patch(resource, ref, body, "application/apply-patch+yaml", options, true);
  }

  async delete<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const { signal, uid, resourceVersion, gracePeriodSeconds, propagationPolicy } = options;
    const preconditions = uid || resourceVersion ? { uid, resourceVersion } : undefined;
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions, gracePeriodSeconds, propagationPolicy };
    await this.transport.json("DELETE", resourcePath(resource, ref), { body, signal });
  }

  close(): void {
    this.transport.close();
  }

  async #patch<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, body: object, contentType: string, options: WriteOptions, force?: boolean) {
    const query = { fieldManager: options.fieldManager ?? fieldManager, force };
    const path = resourcePath(resource, ref, options.subresource);
    return (await this.transport.json("PATCH", path, { query, body, contentType, signal: options.signal })) as T;
  }
}

function namespaceOf(object: KubeObject): { namespace?: string } {
  return object.metadata?.namespace ? { namespace: object.metadata.namespace } : {};
}

function listScope(namespace: string | undefined): { namespace?: string } {
  return namespace ? { namespace } : {};
}
