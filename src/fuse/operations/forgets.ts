// Requests that are never answered: FORGET, BATCH_FORGET, INTERRUPT.
import { decodeBatchForgetIn, decodeForgetIn, decodeForgetOne, decodeInterruptIn, Opcode, structSize } from "../../../generated/fuse/kernel.ts";
import { DriverError } from "../../core/errors.ts";
import type { Operation } from "../dispatcher.ts";

const batchAt = structSize.inHeader + structSize.batchForgetIn;

export const forgetOperations: readonly (readonly [number, Operation])[] = [
  [Opcode.FORGET, (d, r) => {
    r.answered = true;
    d.forget(r.node, decodeForgetIn(r.words, r.bodyAt).nlookup);
  }],
  [Opcode.BATCH_FORGET, (d, r) => {
    r.answered = true;
    const { count } = decodeBatchForgetIn(r.words, r.bodyAt);
    const present = Math.min(count, Math.floor((r.end - batchAt) / structSize.forgetOne));
    if (present < count) d.log.error("a BATCH_FORGET is shorter than it says", { count, present });
    for (let i = 0; i < present; i++) {
      const { nodeid, nlookup } = decodeForgetOne(r.words, (batchAt + i * structSize.forgetOne) >> 2);
      d.forget(nodeid, nlookup);
    }
  }],
  [Opcode.INTERRUPT, (d, r) => {
    r.answered = true;
    const { uniqueLow, uniqueHigh } = decodeInterruptIn(r.words, r.bodyAt);
    // We read in order, so a request that is not under way has been answered already.
    const target = d.inFlight.find(uniqueLow + (uniqueHigh & 0x7fff_ffff) * 0x1_0000_0000);
    target?.abort(new DriverError("Cancelled", "the caller was interrupted"));
  }],
];
