// What a run's sightings come to: where keys have leaked, and whether enough was looked at for "nowhere" to mean something.
import type { Sighting } from "./report.ts";

/** Parts that run the driver in processes of its own: where none was seen, nothing was watched. */
const withDriver = ["mountpoint", "cli", "reconciler", "csi", "sanity", "image", "quickstart", "cluster", "conformance", "secrets"];

export function faultsOf(seen: readonly Sighting[]): string[] {
  const faults = new Set(seen.flatMap((sighting) => (sighting.saw === "leak" ? [`a key in ${sighting.where}`] : [])));
  const unwatched = new Set<string>();
  let part = "";
  for (const sighting of seen) {
    if (sighting.saw === "part") unwatched.add((part = sighting.name));
    else if (sighting.saw === "driver") unwatched.delete(part);
  }
  for (const name of unwatched) if (withDriver.includes(name)) faults.add(`no process of the driver was seen in the part ${name}`);
  for (const saw of ["driver", "log", "folder"] as const) if (count(seen, saw) === 0) faults.add(`no ${saw} was looked at`);
  if (count(seen, "allowed") === 0) faults.add("no key was seen where one may be, so none would have been found elsewhere");
  return [...faults];
}

export function summaryOf(seen: readonly Sighting[]): string {
  const names = Object.groupBy(seen.flatMap((sighting) => (sighting.saw === "driver" ? [sighting.name] : [])), (name) => name);
  const processes = Object.entries(names).map(([name, all]) => `${all?.length} ${name}`).join(", ") || "no";
  return `looked for keys in ${processes} processes, ${count(seen, "log")} logs and ${count(seen, "folder")} folders`;
}

function count(seen: readonly Sighting[], saw: Sighting["saw"]): number {
  return seen.filter((sighting) => sighting.saw === saw).length;
}
