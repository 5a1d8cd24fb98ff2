// Reads so many random ranges of a file, one after another: node random-read.ts FILE COUNT BYTES
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const [, , file = "", count = "200", bytes = "262144"] = process.argv;
const fd = openSync(file, "r");
const { size } = fstatSync(fd);
const buffer = Buffer.alloc(Number(bytes));
let seed = 42;
for (let i = 0; i < Number(count); i++) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  readSync(fd, buffer, 0, buffer.length, Math.floor((seed / 2147483648) * (size - buffer.length)));
}
closeSync(fd);
