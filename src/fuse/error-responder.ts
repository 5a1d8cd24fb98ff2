// Serves a connection with nothing but errors: for the time when its server is gone and no other has come. Callers get EIO
// instead of a sleep that cannot be ended, and the connection stays whole for a later server.
import { encodeOutHeader, Opcode, requestShapes, structSize } from "../../generated/fuse/kernel.ts";
import { Errno } from "../core/errno.ts";
import { DeviceReader } from "./device-reader.ts";
import { DeviceWriter } from "./device-writer.ts";
import { Notifications } from "./notifications.ts";
import { RequestBufferPool } from "./request-buffer.ts";

export interface ErrorResponderOptions {
  /** Stays the caller's. */
  readonly fd: number;
  /** Of the session's negotiation; a smaller buffer could not take the WRITEs that wait. */
  readonly maxWrite?: number;
  readonly errno?: number;
  /** The connection ended by itself. */
  readonly onEnd?: (errno: number) => void;
}

export class ErrorResponder {
  readonly #reader: DeviceReader;
  /** How many requests were answered. */
  answered = 0;

  /** undefined: this kernel cannot repeat what the dead server had read already, so answering would leave those hanging. */
  static start(options: ErrorResponderOptions): ErrorResponder | undefined {
    const notifications = new Notifications(options.fd);
    const repeated = notifications.resend();
    void notifications.close();
    return repeated ? new ErrorResponder(options) : undefined;
  }

  private constructor({ fd, maxWrite = 1024 * 1024, errno = Errno.EIO, onEnd }: ErrorResponderOptions) {
    const writer = new DeviceWriter(fd);
    const message = Buffer.alloc(structSize.outHeader);
    const words = new Uint32Array(message.buffer, message.byteOffset, message.length >> 2);
    this.#reader = new DeviceReader(fd, new RequestBufferPool(maxWrite + 4096, 1), {
      request: (buffer, size) => {
        if (size < structSize.inHeader) return;
        const opcode = buffer.words[1] as number;
        if (requestShapes[opcode]?.reply === false) return;
        // RELEASE and its like cannot fail; an error to INIT would end the connection, which nobody can use without a server anyway.
        const error = opcode === Opcode.RELEASE || opcode === Opcode.RELEASEDIR || opcode === Opcode.DESTROY ? 0 : -errno;
        encodeOutHeader(words, 0, { len: message.length, error, uniqueLow: buffer.words[2] as number, uniqueHigh: buffer.words[3] as number });
        writer.write(message, message.length);
        this.answered++;
      },
      batchEnd: () => {},
      end: (reason) => onEnd?.(reason),
    });
    this.#reader.start();
  }

  /** No request is taken from the kernel afterwards: the next server may begin. */
  stop(): void {
    this.#reader.close();
  }
}
