// The C library's functions that Node does not offer, bound once. Everything above speaks of file descriptors and paths;
// a failed call throws a DriverError with the kernel's errno.
import koffi from "koffi";
import { systemError } from "./system-error.ts";

const lib = koffi.load("libc.so.6");

/** The raw functions: -1 means failure, koffi.errno() has the reason. Use `checked` unless the call is hot. */
export const libc = {
  mount: lib.func("int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)"),
  umount2: lib.func("int umount2(const char *target, int flags)"),
  statx: lib.func("int statx(int directory, const char *path, int flags, unsigned int mask, void *result)"),
  dup: lib.func("int dup(int fd)"),
  dup3: lib.func("int dup3(int from, int to, int flags)"),
  fcntl: lib.func("int fcntl(int fd, int command, long argument)"),
  ioctl: lib.func("int ioctl(int fd, unsigned long request, void *argument)"),
  read: lib.func("intptr_t read(int fd, void *buffer, size_t size)"),
  poll: lib.func("int poll(void *entries, unsigned long count, int timeout)"),
  write: lib.func("intptr_t write(int fd, const void *buffer, size_t size)"),
  socket: lib.func("int socket(int domain, int type, int protocol)"),
  bind: lib.func("int bind(int fd, const void *address, unsigned int size)"),
  listen: lib.func("int listen(int fd, int backlog)"),
  connect: lib.func("int connect(int fd, const void *address, unsigned int size)"),
  accept4: lib.func("int accept4(int fd, void *address, void *size, int flags)"),
  getsockopt: lib.func("int getsockopt(int fd, int level, int name, void *value, void *size)"),
  socketpair: lib.func("int socketpair(int domain, int type, int protocol, int *pair)"),
  sendmsg: lib.func("intptr_t sendmsg(int fd, const void *message, int flags)"),
  recvmsg: lib.func("intptr_t recvmsg(int fd, void *message, int flags)"),
  memfd_create: lib.func("int memfd_create(const char *name, unsigned int flags)"),
  pipe2: lib.func("int pipe2(int *pair, int flags)"),
  /** _exit(2): ends the process without joining its threads. */
  exitNow: lib.func("void _exit(int code)"),
  setfsuid: lib.func("int setfsuid(unsigned int uid)"),
  setfsgid: lib.func("int setfsgid(unsigned int gid)"),
  /** With length 0 it is the identity: how to learn a Buffer's address. */
  address: lib.func("memmove", "uint64_t", ["const void *", "const void *", "size_t"]) as (to: Buffer, from: Buffer, size: 0) => number | bigint,
} as const;

/** The result of a call that returns -1 on failure; the message names the operation and what it was done to. */
export function checked(result: number, operation: string): number {
  if (result < 0) throw systemError(koffi.errno(), operation);
  return result;
}

export function lastErrno(): number {
  return koffi.errno();
}

export function addressOf(buffer: Buffer): bigint {
  return BigInt(libc.address(buffer, buffer, 0));
}
