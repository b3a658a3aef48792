//@ native: yes
// Each error of mmap and munmap.
#include "../check.h"
#include <sys/mman.h>

static const char *map(size_t length, int protection, int flags, int fd, long offset) {
  errno = 0;
  void *p = mmap(0, length, protection, flags, fd, offset);
  if (p == MAP_FAILED)
    return errno_name(errno);
  munmap(p, length);
  return "ok";
}

int main(void) {
  const int rw = PROT_READ | PROT_WRITE;
  put("file", "0123456789");
  int in = OK(open("file", O_RDONLY)), out = OK(open("file", O_WRONLY)), both = OK(open("file", O_RDWR));
  int dir = OK(open(".", O_RDONLY)), pair[2];
  need(pipe(pair) == 0, "pipe");
  puts(map(0, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  puts(map(4096, rw, MAP_ANONYMOUS, -1, 0));
  puts(map(10, PROT_READ, MAP_PRIVATE, in, 1));
  puts(map(10, PROT_READ, MAP_PRIVATE, minus_one, 0));
  puts(map(10, PROT_READ, MAP_PRIVATE, out, 0));
  puts(map(10, rw, MAP_SHARED, in, 0));
  puts(map(10, rw, MAP_PRIVATE, in, 0));
  puts(map(10, PROT_READ, MAP_SHARED, in, 0));
  puts(map(10, rw, MAP_SHARED, both, 0));
  puts(map(10, PROT_WRITE, MAP_SHARED, out, 0));
  puts(map(10, PROT_READ, MAP_PRIVATE, dir, 0));
  puts(map(10, PROT_READ, MAP_PRIVATE, pair[0], 0));
  puts(map(1UL << 60, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  puts(map(4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  char *p = mmap(0, 8192, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SHOW(munmap(p + 1, 4096));
  SHOW(munmap(p, 0));
  SHOW(munmap(p, 8192));
  SHOW(munmap(p, 8192));
  close(pair[0]), close(pair[1]), close(dir);
  return close(in) | close(out) | close(both);
}
