// A cached file that the kernel reads by itself (FUSE passthrough), shared by the readers of one version.

type Registered = { readonly backingId: number; close(): void } | undefined;

export class Backing {
  readonly #register: () => Promise<Registered>;
  #registered: Promise<Registered> | undefined;
  #users = 0;

  constructor(register: () => Promise<Registered>) {
    this.#register = register;
  }

  /** Undefined when the kernel refuses. */
  async acquire(): Promise<number | undefined> {
    this.#users++;
    this.#registered ??= this.#register().catch(() => undefined);
    return (await this.#registered)?.backingId;
  }

  release(): void {
    if (--this.#users > 0) return;
    void this.#registered?.then((registered) => registered?.close());
    this.#registered = undefined;
  }
}
