// Random steps for the model.
import fc from "fast-check";
import { alphabet, type RunOptions, type Step } from "./model-run.ts";

const name = fc.constantFrom(...alphabet);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const oddKey = fc.constantFrom("a//b", "/a", "a/", "b/", "a/b/", "a/./b", "a/../b", "./a", "..", "a/.", "//", "b//");
const key = fc.oneof({ weight: 5, arbitrary: path }, { weight: 1, arbitrary: oddKey });
const content = fc.string({ maxLength: 12 });
const which = fc.nat({ max: 20 });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("write" as const), path, content }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("start" as const, "unlink" as const, "mkdir" as const, "rmdir" as const), path }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("more" as const, "finish" as const), which, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("put" as const), key, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
);

export const options: fc.Arbitrary<RunOptions> = fc.record({
  allowOverwrite: fc.boolean(),
  allowDelete: fc.boolean(),
  plus: fc.boolean(),
  replyLimit: fc.integer({ min: 1, max: 9 }),
  forget: fc.boolean(),
});
