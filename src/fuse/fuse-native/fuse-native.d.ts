// The part of fuse-native's interface that is used here; the package has no types of its own.
declare module "fuse-native" {
  export type Callback<T extends unknown[] = []> = (errno: number, ...result: T) => void;
  export interface Stat {
    mtime: Date;
    atime: Date;
    ctime: Date;
    size: number;
    mode: number;
    uid: number;
    gid: number;
    nlink: number;
    ino: number;
    dev: number;
    rdev: number;
    blocks: number;
  }
  export default class Fuse {
    constructor(mountPoint: string, operations: Record<string, unknown>, options: Record<string, unknown>);
    mount(done: (error: Error | null) => void): void;
    unmount(done: (error: Error | null) => void): void;
  }
}
