import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ListSplitter } from "../../src/kube/list-splitter.ts";

test("any list, cut anywhere, gives its items in order and the rest without them", () => {
  const item = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(item), fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), fc.integer({ min: 1, max: 50 }), (items, other, itemsFirst, stride) => {
      const { items: _none, ...rest } = other as { items?: unknown };
      const list = itemsFirst ? { items, ...rest } : { ...rest, items };
      const bytes = Buffer.from(JSON.stringify(list));
      const found: unknown[] = [];
      const splitter = new ListSplitter((json) => found.push(JSON.parse(json)));
      for (let at = 0; at < bytes.length; at += stride) splitter.push(bytes.subarray(at, at + stride));
      assert.equal(JSON.stringify(found), JSON.stringify(items));
      assert.equal(JSON.stringify(JSON.parse(splitter.end())), JSON.stringify(itemsFirst ? { items: [], ...rest } : { ...rest, items: [] }));
    }),
    { numRuns: 500 },
  );
});

test("blanks between items and an items field deeper down do no harm", () => {
  const found: unknown[] = [];
  const splitter = new ListSplitter((json) => found.push(JSON.parse(json)));
  splitter.push(Buffer.from('{ "metadata": {"items": [1, {"a": 2}]},\n "items" : [ {"b": [1,2]} , {"c": "]}"} ], "kind": "L" }'));
  assert.equal(found, [{ b: [1, 2] }, { c: "]}" }]);
  assert.equal(JSON.parse(splitter.end()), { metadata: { items: [1, { a: 2 }] }, items: [], kind: "L" });
});

test.run();
