// The chart, rendered by the real helm.
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { type CommandLine, helmFor } from "../../scripts/kubernetes/kubectl.ts";

export const chartFolder = path.resolve(import.meta.dirname, "../../chart");
export const releaseNamespace = "kube-system";

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: rendered YAML of every kind
  readonly [field: string]: any;
}

export type Values = Readonly<Record<string, unknown>>;

export class Chart {
  readonly #helm: CommandLine;

  private constructor(helm: CommandLine) {
    this.#helm = helm;
  }

  static async open(signal?: AbortSignal): Promise<Chart> {
    return new Chart(await helmFor(undefined, signal));
  }

  lint(values: Values = {}): Promise<string> {
    return this.#helm(["lint", "--strict", chartFolder, "--values", "-"], { input: JSON.stringify(values) });
  }

  renderText(values: Values = {}): Promise<string> {
    return this.#helm(["template", "s3", chartFolder, "--namespace", releaseNamespace, "--kube-version", "1.34.0", "--values", "-"], { input: JSON.stringify(values) });
  }

  async render(values: Values = {}): Promise<KubernetesObject[]> {
    return parseAllDocuments(await this.renderText(values))
      .map((document) => document.toJS() as KubernetesObject | null)
      .filter((object) => object !== null);
  }
}

export function find(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject {
  const found = objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} objects of kind ${kind} ${name ?? ""}; one was expected`);
  return found[0];
}
