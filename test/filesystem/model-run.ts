// One random life of a mount: this client's operations and another client's, each followed by a comparison of the whole tree.
import * as assert from "uvu/assert";
import { FileType } from "../../src/fuse/file-system.ts";
import type { MemoryStore } from "../../src/s3/memory-store.ts";
import { bench, errnoOfAction, O } from "./client.ts";
import { type Expected, Model } from "./model.ts";

export type Step =
  | { readonly do: "write"; readonly path: string; readonly content: string }
  | { readonly do: "start" | "unlink" | "mkdir" | "rmdir"; readonly path: string; readonly content?: undefined }
  | { readonly do: "more" | "finish"; readonly which: number; readonly content: string }
  | { readonly do: "put"; readonly key: string; readonly content: string }
  | { readonly do: "delete"; readonly which: number };

export interface RunOptions {
  readonly allowOverwrite: boolean;
  readonly allowDelete: boolean;
  readonly plus: boolean;
  readonly replyLimit: number;
  readonly forget: boolean;
}

/** Every name that may appear: absent ones are looked up too. */
export const alphabet = ["a", "b", "a-", "-", "a."];

/** What the steps are done with: without a kernel (client.ts) or through one (kernel-client.ts). */
export type ModelFile = unknown;
export interface ModelClient {
  create(path: string, flags: number): Promise<ModelFile>;
  open(path: string): Promise<ModelFile>;
  write(file: ModelFile, offset: number, data: string): Promise<number>;
  close(file: ModelFile): Promise<void>;
  release(file: ModelFile): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  readdir(path: string, plus: boolean, limit: number): Promise<{ readonly name: string; readonly ino: number; readonly type: number }[]>;
  lookupExisting(path: string): Promise<{ readonly node: number; readonly attributes: { readonly mode: number } }>;
  readFile(path: string): Promise<Buffer>;
  forgetAll(): void;
}

export interface ModelMount {
  readonly store: MemoryStore;
  readonly client: ModelClient;
  /** Lets what is known of foreign changes grow old. */
  settle(): Promise<void> | void;
}

interface Open {
  readonly path: string;
  readonly file: ModelFile;
  content: string;
  seen: boolean;
}

export async function run(steps: readonly Step[], options: RunOptions): Promise<number> {
  const mount = bench({ memoryBudget: 8 << 20, allowOverwrite: options.allowOverwrite, allowDelete: options.allowDelete });
  const client = mount.client as unknown as ModelClient;
  const count = await runOn(
    { store: mount.store, client, settle: () => mount.advance(1001) },
    steps.map((step) => [step]),
    options,
  );
  assert.is(mount.fs.status().openFiles, 0);
  return count;
}

/** Another client's steps come first in a batch; they are seen once what is known has grown old. */
export async function runOn(mount: ModelMount, batches: readonly (readonly Step[])[], options: RunOptions): Promise<number> {
  const model = new Model();
  const open: Open[] = [];
  const settleModel = () => {
    const lost = new Set(model.settle());
    for (const file of open) if (lost.has(file.path)) file.seen = false;
  };
  let count = 0;
  for (const batch of batches) {
    const foreign = (step: Step) => step.do === "put" || step.do === "delete";
    for (const step of batch.filter(foreign)) await perform(step, mount, model, open, options);
    if (batch.length > 1) {
      await mount.settle();
      settleModel();
      await compare(mount, model.tree(), "", options);
    }
    for (const step of batch.filter((other) => !foreign(other))) {
      await perform(step, mount, model, open, options);
      settleModel();
    }
    if (batch.length === 1) await mount.settle();
    settleModel();
    await compare(mount, model.tree(), "", options);
    if (options.forget && count % 7 === 0) mount.client.forgetAll();
    count += batch.length;
  }
  for (const { file } of open) await mount.client.release(file).catch(() => {});
  return count;
}

async function perform(step: Step, { client, store }: ModelMount, model: Model, open: Open[], options: RunOptions): Promise<void> {
  switch (step.do) {
    case "put":
      store.set(step.key, step.content);
      model.remote.set(step.key, step.content);
      return;
    case "delete": {
      const key = [...model.remote.keys()][step.which % Math.max(1, model.remote.size)];
      if (key === undefined) return;
      store.remove(key);
      model.remote.delete(key);
      return;
    }
    case "write":
    case "start": {
      const expected = expectCreate(model, step.path, options);
      let file: ModelFile | undefined;
      const outcome = await errnoOfAction(async () => {
        file = await client.create(step.path, O.WRONLY | O.TRUNC);
      });
      assert.is(outcome, expected, `${step.do} ${step.path}`);
      if (!file) return;
      model.writing.set(step.path, "");
      const opened: Open = { path: step.path, file, content: "", seen: true };
      open.push(opened);
      if (step.content === undefined) return;
      await client.write(file, 0, step.content);
      opened.content = step.content;
      return await finish(opened, client, model, open, options);
    }
    case "more": {
      const chosen = open[step.which % Math.max(1, open.length)];
      if (!chosen) return;
      assert.is(await client.write(chosen.file, Buffer.byteLength(chosen.content), step.content), Buffer.byteLength(step.content));
      chosen.content += step.content;
      return;
    }
    case "finish": {
      const chosen = open[step.which % Math.max(1, open.length)];
      if (chosen) await finish(chosen, client, model, open, options);
      return;
    }
    case "unlink":
      assert.is(await errnoOfAction(() => client.unlink(step.path)), expectUnlink(model, step.path, options), `unlink ${step.path}`);
      if (expectUnlink(model, step.path, options) === "OK") model.remote.delete(step.path);
      return;
    case "mkdir": {
      const expected = walk(model, step.path) ?? (model.at(step.path) ? "EEXIST" : "OK");
      assert.is(await errnoOfAction(() => client.mkdir(step.path)), expected, `mkdir ${step.path}`);
      if (expected === "OK") model.localDirectories.add(step.path);
      return;
    }
    case "rmdir": {
      const expected = expectRmdir(model, step.path);
      assert.is(await errnoOfAction(() => client.rmdir(step.path)), expected, `rmdir ${step.path}`);
      if (expected === "OK") model.localDirectories.delete(step.path);
    }
  }
}

async function finish(chosen: Open, client: ModelClient, model: Model, open: Open[], options: RunOptions): Promise<void> {
  const refused = !options.allowOverwrite && model.remote.has(chosen.path) && chosen.content !== "";
  const taken = !options.allowOverwrite && model.remote.has(chosen.path) && chosen.content === "";
  const same = model.remote.get(chosen.path) === chosen.content;
  assert.is(await errnoOfAction(() => client.close(chosen.file)), refused && !same ? "EEXIST" : "OK", `close ${chosen.path}`);
  if (!refused && !taken) model.remote.set(chosen.path, chosen.content);
  if (chosen.seen) model.writing.delete(chosen.path);
  open.splice(open.indexOf(chosen), 1);
}

/** What a walk to the parent ends with, if it does. */
function walk(model: Model, path: string): string | undefined {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth++) {
    const found = model.at(names.slice(0, depth).join("/"));
    if (!found) return "ENOENT";
    if (found.kind === "file") return "ENOTDIR";
  }
  return undefined;
}

function expectCreate(model: Model, path: string, options: RunOptions): string {
  const blocked = walk(model, path);
  if (blocked) return blocked;
  const found = model.at(path);
  if (!found) return "OK";
  if (found.kind === "directory") return "EISDIR";
  return found.content === undefined || !options.allowOverwrite ? "EPERM" : "OK";
}

function expectUnlink(model: Model, path: string, options: RunOptions): string {
  const blocked = walk(model, path);
  if (blocked) return blocked;
  if (!options.allowDelete) return "EPERM";
  const found = model.at(path);
  if (!found) return "ENOENT";
  if (found.kind === "directory") return "EISDIR";
  return found.content === undefined ? "EPERM" : "OK";
}

function expectRmdir(model: Model, path: string): string {
  const blocked = walk(model, path);
  if (blocked) return blocked;
  const found = model.at(path);
  if (!found) return "ENOENT";
  if (found.kind === "file") return "ENOTDIR";
  if (model.isRemoteDirectory(path)) return "EPERM";
  return found.children.size > 0 ? "ENOTEMPTY" : "OK";
}

async function compare(mount: ModelMount, expected: Expected & { kind: "directory" }, path: string, options: RunOptions): Promise<void> {
  const { client } = mount;
  const entries = (await client.readdir(path, options.plus, options.replyLimit)).filter(
    (entry) => entry.name !== "." && entry.name !== "..",
  );
  const listed = entries.map((entry) => `${entry.name}${entry.type === FileType.directory ? "/" : ""}`);
  const wanted = [...expected.children].map(([name, child]) => `${name}${child.kind === "directory" ? "/" : ""}`);
  assert.equal([...listed].sort(), wanted.sort(), `readdir /${path}`);
  for (const name of alphabet) {
    const below = path === "" ? name : `${path}/${name}`;
    const child = expected.children.get(name);
    if (!child) assert.is(await errnoOfAction(() => client.lookupExisting(below)), "ENOENT", `lookup ${below}`);
  }
  for (const [name, child] of expected.children) {
    const below = path === "" ? name : `${path}/${name}`;
    const entry = await client.lookupExisting(below);
    assert.is((entry.attributes.mode & FileType.directory) !== 0, child.kind === "directory", `kind of ${below}`);
    assert.is(entries.find((listing) => listing.name === name)?.ino, entry.node, `number of ${below}`);
    if (child.kind === "directory") await compare(mount, child, below, options);
    else if (child.content !== undefined) assert.is((await client.readFile(below)).toString(), child.content, `content of ${below}`);
    else assert.is(await errnoOfAction(() => client.open(below)), "EPERM", `open of ${below}, which is being written`);
  }
}
