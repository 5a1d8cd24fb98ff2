import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../src/core/errors.ts";
import { bindMount, mount, umount } from "../../src/linux/mount.ts";
import { decodeEscapes, findMount, isMountPoint, mountRefs, parseMountInfo } from "../../src/linux/mount-info.ts";
import { mountedDevice } from "../../src/linux/mounted-device.ts";
import { probePath } from "../../src/linux/probe.ts";

// A space, a tab, a backslash and a letter of two bytes: all that mountinfo escapes or might break.
const directory = mkdtempSync(path.join(os.tmpdir(), "mount test\t\\é-"));
const source = path.join(directory, "source");
const target = path.join(directory, "target");
mkdirSync(source);
mkdirSync(target);

test.after(() => {
  for (const point of [target, source]) while (umount(point, { lazy: true }));
  rmSync(directory, { recursive: true });
});

test("mountinfo names a mount with odd characters as it is", () => {
  mount({ source: "a b#c", target: source, type: "tmpfs", data: "size=1m,mode=700" });
  const found = findMount(source);
  assert.is(found?.type, "tmpfs");
  assert.is(found?.source, "a b#c");
  assert.ok(isMountPoint(source));
  assert.not(isMountPoint(target));
});

test("a bind mount refers to its source and back; read-only holds for the bind alone", () => {
  writeFileSync(path.join(source, "file"), "content");
  bindMount(source, target, { readOnly: true });
  assert.is(readFileSync(path.join(target, "file"), "utf8"), "content");
  assert.throws(() => writeFileSync(path.join(target, "file"), "x"), /EROFS/);
  writeFileSync(path.join(source, "file"), "new");
  assert.equal(mountRefs(source).map((m) => m.mountPoint), [target]);
  assert.equal(mountRefs(target).map((m) => m.mountPoint), [source]);
});

test("what is mounted at one path is what the table says, with a bind, a second one on top and one that is gone", () => {
  const deviceInTable = (at: string) => {
    const mount = findMount(at);
    return mount && { major: mount.major, minor: mount.minor };
  };
  const link = path.join(directory, "link");
  symlinkSync(target, link);
  const look = () => {
    for (const at of [source, target, directory, link, path.join(source, "file"), path.join(source, "file", "x"), path.join(directory, "nowhere")]) {
      assert.equal(mountedDevice(at), deviceInTable(at), at);
    }
    return mountedDevice(target);
  };
  const bound = look();
  assert.equal(bound, mountedDevice(source));
  mount({ source: "top", target, type: "tmpfs", data: "size=1m" });
  assert.not.equal(look(), bound);
  umount(target);
  assert.equal(look(), bound);
  umount(target);
  assert.is(look(), undefined);
  bindMount(source, target);
});

test("umount says whether there was something to unmount", () => {
  assert.is(umount(target), true);
  assert.is(umount(target), false);
  assert.is(umount(path.join(directory, "nowhere")), false);
  assert.is(umount(source), true);
});

test("a failed mount throws the kernel's errno", () => {
  try {
    mount({ source: "x", target, type: "no-such-type" });
    assert.unreachable();
  } catch (error) {
    assert.is((error as { errno: number }).errno, 19); // ENODEV
  }
});

for (const bad of ["/", "relative", "", "//", "/a/..", "/x\0y"]) {
  test(`${JSON.stringify(bad)} is refused as a mount point`, () => {
    assert.throws(() => mount({ source: "x", target: bad, type: "tmpfs" }), (error: unknown) => hasCode(error, "InvalidArgument"));
  });
}

test("mountinfo lines with any number of propagation fields", () => {
  const text = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue\n37 35 0:44 / /x rw - fuse m ro\nbroken line\n";
  const [first, second, ...rest] = parseMountInfo(text);
  assert.equal(first?.propagation, ["master:1", "shared:2"]);
  assert.is(first?.type, "ext3");
  assert.equal(first?.superOptions, ["rw", "errors=continue"]);
  assert.is(second?.minor, 44);
  assert.is(rest.length, 0);
});

test("escapes", () => {
  assert.is(decodeEscapes("a\\040b\\134c\\043\\011\\303\\251\\9"), "a b\\c#\té\\9");
});

test("probe: a path that is there, one that is not", async () => {
  assert.is((await probePath(directory, 5000)).state, "alive");
  assert.is((await probePath(path.join(directory, "nowhere"), 5000)).state, "missing");
});

test.run();
