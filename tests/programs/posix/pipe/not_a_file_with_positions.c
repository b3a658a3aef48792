// What a pipe cannot do: seek, positioned reads and writes, truncate, sync, mmap; what fstat says.
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name(int error) {
  switch (error) {
  case ESPIPE: return "ESPIPE";
  case EINVAL: return "EINVAL";
  case ENODEV: return "ENODEV";
  case EBADF: return "EBADF";
  case ENOTTY: return "ENOTTY";
  case ENOTDIR: return "ENOTDIR";
  default: return "other";
  }
}

static void say(const char *what, long result) {
  printf("%s: %s\n", what, result < 0 ? name(errno) : "ok");
}

int main(void) {
  int ends[2], bytes = -1;
  char data[8];
  struct stat info;
  if (pipe(ends))
    return 1;
  say("lseek", lseek(ends[0], 0, SEEK_CUR));
  say("pread", pread(ends[0], data, 1, 0));
  say("pwrite", pwrite(ends[1], data, 1, 0));
  say("ftruncate", ftruncate(ends[1], 0));
  say("fsync", fsync(ends[1]));
  say("fchdir", fchdir(ends[0]));
  void *map = mmap(0, 4096, PROT_READ, MAP_SHARED, ends[0], 0);
  say("mmap", map == MAP_FAILED ? -1 : 0);
  say("tty", isatty(ends[0]) - 1);
  say("fstat", fstat(ends[0], &info));
  printf("fifo %d size %ld links %ld\n", S_ISFIFO(info.st_mode), (long)info.st_size, (long)info.st_nlink);
  say("write", write(ends[1], "abcde", 5));
  say("waiting", ioctl(ends[0], FIONREAD, &bytes));
  printf("%d\n", bytes);
  close(ends[0]);
  say("closed", ioctl(ends[0], FIONREAD, &bytes));
  say("close twice", close(ends[0]));
  return 0;
}
