// The reference: one file of memory served by libfuse 3, low-level interface, multi-threaded, as its manual shows it.
#define FUSE_USE_VERSION 314
#include <errno.h>
#include <fuse_lowlevel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *content;
static size_t window, size;

static void attributes(fuse_ino_t ino, struct stat *st) {
  memset(st, 0, sizeof *st);
  st->st_ino = ino;
  st->st_mode = ino == 1 ? S_IFDIR | 0755 : S_IFREG | 0666;
  st->st_nlink = 1;
  st->st_size = ino == 1 ? 0 : size;
  st->st_blksize = 4096;
}

static void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name) {
  struct fuse_entry_param e = {0};
  if (parent != 1 || strcmp(name, "file")) {
    fuse_reply_err(req, ENOENT);
    return;
  }
  e.ino = 2;
  attributes(2, &e.attr);
  fuse_reply_entry(req, &e);
}

static void op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct stat st;
  (void)fi;
  attributes(ino, &st);
  fuse_reply_attr(req, &st, 0);
}

static void op_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int to_set, struct fuse_file_info *fi) {
  (void)attr, (void)to_set;
  op_getattr(req, ino, fi);
}

static void op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  (void)ino;
  fuse_reply_open(req, fi);
}

static void op_read(fuse_req_t req, fuse_ino_t ino, size_t length, off_t offset, struct fuse_file_info *fi) {
  (void)ino, (void)fi;
  if ((size_t)offset >= size) fuse_reply_buf(req, NULL, 0);
  else fuse_reply_buf(req, content + offset % window, length < size - offset ? length : size - offset);
}

static void op_write(fuse_req_t req, fuse_ino_t ino, const char *data, size_t length, off_t offset, struct fuse_file_info *fi) {
  (void)ino, (void)fi;
  memcpy(content + offset % window, data, length);
  fuse_reply_write(req, length);
}

static const struct fuse_lowlevel_ops operations = {
    .lookup = op_lookup, .getattr = op_getattr, .setattr = op_setattr, .open = op_open, .read = op_read, .write = op_write,
};

int main(int argc, char *argv[]) {
  struct fuse_args args = FUSE_ARGS_INIT(1, argv);
  struct fuse_loop_config *config = fuse_loop_cfg_create();
  if (argc != 4) return 2;
  window = strtoull(argv[2], NULL, 10);
  size = strtoull(argv[3], NULL, 10);
  // Room for a request that begins before the window's end; touched, so that no page fault falls into a measurement.
  content = malloc(window + (4 << 20));
  memset(content, 7, window + (4 << 20));
  struct fuse_session *session = fuse_session_new(&args, &operations, sizeof operations, NULL);
  if (!session || fuse_set_signal_handlers(session) || fuse_session_mount(session, argv[1])) return 1;
  puts("serving");
  fflush(stdout);
  int result = fuse_session_loop_mt(session, config);
  fuse_session_unmount(session);
  return result;
}
