// A workload that reads and writes all the time and counts what fails, to see what a crash around it does.
import * as assert from "uvu/assert";
import { eventually } from "./eventually.ts";
import type { Workspace } from "./workspace.ts";

/** One round: a new file of 200 kB, read back in the working directory and compared; one old file read. Every failure leaves a line. */
const script = `
  mkdir -p /data/w; cd /data/w; i=0; head -c 200000 /dev/urandom > /tmp/block; cp /tmp/block /data/old
  touch /tmp/errors
  while :; do
    i=$((i+1))
    cp /tmp/block /data/w/$i 2>>/tmp/errors || echo "write $i" >> /tmp/errors
    cmp /tmp/block $i 2>>/tmp/errors || echo "read $i" >> /tmp/errors
    cmp /tmp/block /data/old 2>>/tmp/errors || echo "old $i" >> /tmp/errors
    echo $i > /tmp/rounds
    sleep 0.05
  done`;

export class Traffic {
  readonly #work: Workspace;
  readonly #pod: string;

  private constructor(work: Workspace, pod: string) {
    this.#work = work;
    this.#pod = pod;
  }

  static async start(work: Workspace, pod: string, claim: string): Promise<Traffic> {
    await work.readyPod({ name: pod, claims: { "/data": claim }, script });
    const traffic = new Traffic(work, pod);
    await traffic.goesOn();
    return traffic;
  }

  async rounds(): Promise<number> {
    return Number((await this.#look("cat /tmp/rounds 2>/dev/null || echo 0")).trim());
  }

  /** Waits until some more rounds are done. */
  async goesOn(seconds = 60): Promise<void> {
    const before = await this.rounds();
    const end = performance.now() + seconds * 1000;
    while ((await this.rounds()) < before + 3) {
      if (performance.now() > end) assert.unreachable(`the workload stands still after ${before} rounds:\n${await this.errors()}`);
    }
  }

  async errors(): Promise<string> {
    return (await this.#look("cat /tmp/errors")).trim();
  }

  /** The way to the pod leads through kubelet and the API server, which may be what was just killed. */
  #look(script: string): Promise<string> {
    return eventually(`a look into ${this.#pod}`, 90, async () => `${await this.#work.exec(this.#pod, script)}\n`);
  }
}
