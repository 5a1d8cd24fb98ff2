import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MetricsRegistry } from "../../src/telemetry/metrics.ts";

const test = suite("metrics");

test("counters, gauges and counts of others in the text format", () => {
  const registry = new MetricsRegistry("s3csi");
  const calls = registry.counter("calls_total", "Calls.");
  registry.gauge("open", "Open files.", () => 3);
  registry.counted("bytes_total", "Bytes.", () => 7);
  calls.add();
  calls.add('op="read"', 2);
  calls.add('op="read"');
  assert.is(
    registry.text(),
    [
      "# HELP s3csi_calls_total Calls.", "# TYPE s3csi_calls_total counter", "s3csi_calls_total 1", 's3csi_calls_total{op="read"} 3',
      "# HELP s3csi_open Open files.", "# TYPE s3csi_open gauge", "s3csi_open 3",
      "# HELP s3csi_bytes_total Bytes.", "# TYPE s3csi_bytes_total counter", "s3csi_bytes_total 7", "",
    ].join("\n"),
  );
});

test("a histogram's buckets are cumulative, bounds included, with sum and count", () => {
  const registry = new MetricsRegistry("s3csi");
  const latency = registry.histogram("seconds", "Latency.", [0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 4]) latency.observe(seconds, 'op="get"');
  const lines = registry.text().trimEnd().split("\n").slice(2);
  assert.equal(lines, [
    's3csi_seconds_bucket{op="get",le="0.1"} 2', 's3csi_seconds_bucket{op="get",le="1"} 3', 's3csi_seconds_bucket{op="get",le="+Inf"} 4',
    's3csi_seconds_sum{op="get"} 4.65', 's3csi_seconds_count{op="get"} 4',
  ]);
});

test.run();
