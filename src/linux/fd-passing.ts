// File descriptors over a unix socket (SCM_RIGHTS). One Buffer holds what sendmsg and recvmsg want: struct msghdr (56 bytes),
// struct iovec (16), the control message (24); the layout is the same on x86-64 and arm64.
import { closeSync } from "node:fs";
import { Errno } from "../core/errno.ts";
import { DriverError } from "../core/errors.ts";
import { addressOf, lastErrno, libc } from "./libc.ts";
import { systemError } from "./system-error.ts";
import { waitReadable } from "./wait-readable.ts";

/** Longest text that goes with a descriptor. */
export const maxMessageBytes = 4096;

export interface Received {
  /** The sender's text; empty never means end of file (that throws Disconnected). */
  readonly data: Buffer;
  /** Ours to close. */
  readonly fd: number | undefined;
}

/** Sends the text and, when given, a duplicate of the descriptor. The text must not be empty: it carries the descriptor. */
export function sendFd(socket: number, fd: number | undefined, data: Uint8Array | string): void {
  const bytes = Buffer.from(data as string);
  if (bytes.length === 0 || bytes.length > maxMessageBytes) throw new DriverError("InvalidArgument", `a message of ${bytes.length} bytes cannot be sent`);
  const message = newMessage(bytes, fd === undefined ? 0 : controlSize);
  if (fd !== undefined) {
    message.writeBigUInt64LE(BigInt(16 + 4), controlOffset); // cmsg_len
    message.writeInt32LE(solSocket, controlOffset + 8);
    message.writeInt32LE(scmRights, controlOffset + 12);
    message.writeInt32LE(fd, controlOffset + 16);
  }
  const sent = libc.sendmsg(socket, message, msgNoSignal | msgDontWait);
  if (sent < 0) throw systemError(lastErrno(), "send a descriptor");
  if (sent !== bytes.length) throw new DriverError("Io", `only ${sent} of ${bytes.length} bytes of a message were sent`);
}

/** The next text with its descriptor; waits for it on the event loop. */
export async function receiveFd(socket: number, signal?: AbortSignal): Promise<Received> {
  for (;;) {
    const received = tryReceiveFd(socket);
    if (received) return received;
    await waitReadable(socket, signal);
  }
}

/** The same without waiting: undefined when there is nothing yet. */
export function tryReceiveFd(socket: number): Received | undefined {
  const bytes = Buffer.alloc(maxMessageBytes);
  const message = newMessage(bytes, controlSize);
  const size = libc.recvmsg(socket, message, msgDontWait | msgCmsgCloexec);
  if (size < 0) {
    const errno = lastErrno();
    if (errno === Errno.EAGAIN || errno === Errno.EINTR) return undefined;
    throw systemError(errno, "receive a descriptor");
  }
  if (size === 0) throw new DriverError("Disconnected", "the peer closed the socket");
  return { data: bytes.subarray(0, size), fd: passedDescriptor(message) };
}

const solSocket = 1;
const scmRights = 1;
const msgNoSignal = 0x4000;
const msgDontWait = 0x40;
const msgCmsgCloexec = 0x40000000;
const msgCtrunc = 8;
const iovecOffset = 56;
const controlOffset = 72;
const controlSize = 24;

function newMessage(bytes: Buffer, control: number): Buffer {
  const message = Buffer.alloc(controlOffset + controlSize);
  const base = addressOf(message);
  message.writeBigUInt64LE(addressOf(bytes), iovecOffset);
  message.writeBigUInt64LE(BigInt(bytes.length), iovecOffset + 8);
  message.writeBigUInt64LE(base + BigInt(iovecOffset), 16);
  message.writeBigUInt64LE(1n, 24);
  if (control > 0) {
    message.writeBigUInt64LE(base + BigInt(controlOffset), 32);
    message.writeBigUInt64LE(BigInt(control), 40);
  }
  return message;
}

function passedDescriptor(message: Buffer): number | undefined {
  const controlLength = message.readBigUInt64LE(40);
  if (controlLength < 20n) return undefined;
  const isRights = message.readInt32LE(controlOffset + 8) === solSocket && message.readInt32LE(controlOffset + 12) === scmRights;
  if (!isRights) return undefined;
  const fd = message.readInt32LE(controlOffset + 16);
  // Room for one only: the kernel has closed the others and says so.
  if ((message.readInt32LE(48) & msgCtrunc) !== 0) {
    closeSync(fd);
    throw new DriverError("InvalidArgument", "the peer sent more than one descriptor");
  }
  return fd;
}
