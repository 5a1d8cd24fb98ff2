// The caller: one kind of operation for a while; prints operations, bytes and seconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char *argv[]) {
  if (argc != 5) return 2;
  const char *kind = argv[1], *path = argv[2];
  double limit = atof(argv[3]);
  long long size = atoll(argv[4]), operations = 0, bytes = 0, offset = 0;
  int direct = !strcmp(kind, "rand4k") || !strcmp(kind, "direct-read");
  int writing = !strcmp(kind, "write");
  int fd = open(path, (writing ? O_WRONLY : O_RDONLY) | (direct ? O_DIRECT : 0));
  size_t block = !strcmp(kind, "rand4k") ? 4096 : 1 << 20;
  void *buffer;
  if (fd < 0 || posix_memalign(&buffer, 4096, block)) return 1;
  memset(buffer, 7, block);
  srand48(1);
  double begin = now(), end = begin;
  while (end - begin < limit) {
    ssize_t n = 0;
    if (!strcmp(kind, "fstat")) {
      struct stat st;
      // Several per look at the clock.
      for (int i = 0; i < 16; i++, operations++) if (fstat(fd, &st)) return 1;
      end = now();
      continue;
    }
    if (!strcmp(kind, "rand4k")) n = pread(fd, buffer, block, (long long)(drand48() * (size / 4096)) * 4096);
    else {
      if (offset >= size) {
        // Opening again drops the cached pages: the next pass asks the server again.
        close(fd);
        fd = open(path, (writing ? O_WRONLY : O_RDONLY) | (direct ? O_DIRECT : 0));
        offset = 0;
      }
      n = writing ? pwrite(fd, buffer, block, offset) : pread(fd, buffer, block, offset);
      offset += block;
    }
    if (n != (ssize_t)block) return 1;
    operations++;
    bytes += n;
    end = now();
  }
  printf("{\"operations\":%lld,\"bytes\":%lld,\"seconds\":%f}\n", operations, bytes, end - begin);
  return 0;
}
