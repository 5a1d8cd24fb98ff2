// What the API server needs to know of a kind to build its path, with the kind's type carried along.
import type { V1ObjectMeta } from "@kubernetes/client-node";

/** A type of client-node as it stands on the wire: it parses timestamps into Date, JSON leaves them as text. */
export type Json<T> = T extends Date ? string : T extends readonly (infer E)[] ? Json<E>[] : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

export type ObjectMeta = Json<V1ObjectMeta>;

export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

export interface Resource<T extends KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: carries the type only. */
  readonly type?: T;
}

export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string;
}

export function resourcePath(resource: Resource<KubeObject>, ref: { readonly name?: string; readonly namespace?: string }, subresource?: string): string {
  const root = resource.apiVersion.includes("/") ? `/apis/${resource.apiVersion}` : `/api/${resource.apiVersion}`;
  const scope = resource.namespaced && ref.namespace ? `/namespaces/${encodeURIComponent(ref.namespace)}` : "";
  const name = ref.name === undefined ? "" : `/${encodeURIComponent(ref.name)}`;
  return `${root}${scope}/${resource.plural}${name}${subresource ? `/${subresource}` : ""}`;
}

/** "namespace/name", or "name" for what has no namespace: how caches and queues name an object. */
export function objectKey(object: KubeObject): string {
  return refKey({ name: object.metadata?.name ?? "", namespace: object.metadata?.namespace });
}

export function refKey(ref: { readonly name: string; readonly namespace?: string | undefined }): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}
