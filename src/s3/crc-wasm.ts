// The WebAssembly module behind crc.ts, put together byte by byte: memory (two pages) and
//   crc(state: i64, tables: i32, from: i32, length: i32) -> i64
// Written out here rather than compiled so that the build needs no second compiler.

export function crcModule(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, i64, i32, i32, i32, 1, i64]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 2]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("crc"), 0, 0]),
    ...section(10, [1, ...sized([1, 1, i64, ...body(), end])]),
  ]);
}

const i32 = 0x7f;
const i64 = 0x7e;
const end = 0x0b;
const empty = 0x40;

// locals: the four parameters, and the word in hand
const state = 0;
const tables = 1;
const from = 2;
const length = 3;
const word = 4;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant32 = (value: number) => [0x41, ...signed(value)];
const constant64 = (value: number) => [0x42, ...signed(value)];
const load64 = (offset: number) => [0x29, 3, ...unsigned(offset)];
const load8 = [0x2d, 0, 0];
const add32 = 0x6a;
const sub32 = 0x6b;
const shl32 = 0x74;
const and32 = 0x71;
const ltUnsigned32 = 0x49;
const eqz32 = 0x45;
const xor64 = 0x85;
const shrUnsigned64 = 0x88;
const wrap = 0xa7;

function body(): number[] {
  return [
    // while (length >= 8)
    ...[0x02, empty, 0x03, empty, ...get(length), ...constant32(8), ltUnsigned32, 0x0d, 1],
    ...[...get(from), ...load64(0), ...get(state), xor64, ...set(word)],
    ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((byte) => [...lookUp(byte), ...(byte === 0 ? [] : [xor64])]),
    ...set(state),
    ...[...step(8), 0x0c, 0, end, end],
    // while (length > 0)
    ...[0x02, empty, 0x03, empty, ...get(length), eqz32, 0x0d, 1],
    ...[...get(tables), ...get(state), wrap, ...get(from), ...load8, 0x73, ...constant32(255), and32, ...constant32(3), shl32, add32, ...load64(0)],
    ...[...get(state), ...constant64(8), shrUnsigned64, xor64, ...set(state)],
    ...[...step(1), 0x0c, 0, end, end],
    ...get(state),
  ];
}

/** tables[7 - byte][(word >> 8·byte) & 255]; the first byte of the word has the longest way to go. */
function lookUp(byte: number): number[] {
  return [
    ...[...get(tables), ...get(word), ...constant64(8 * byte), shrUnsigned64, wrap, ...constant32(255), and32, ...constant32(3), shl32, add32],
    ...load64((7 - byte) * 256 * 8),
  ];
}

function step(bytes: number): number[] {
  return [...get(from), ...constant32(bytes), add32, ...set(from), ...get(length), ...constant32(bytes), sub32, ...set(length)];
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 127;
  const rest = value >> 7;
  const last = (rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0);
  return last ? [low] : [low | 128, ...signed(rest)];
}
