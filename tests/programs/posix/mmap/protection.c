//@ native: yes
// mprotect changes what may be done with pages, and checks its range.
#include "../check.h"
#include <sys/mman.h>
#include <sys/syscall.h>

int main(void) {
  const int rw = PROT_READ | PROT_WRITE;
  put("file", "0123456789");
  char *p = mmap(0, 3 * 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(p, "kept");
  SHOW(mprotect(p, 4096, PROT_READ));
  puts(p);
  SHOW(mprotect(p, 3 * 4096, PROT_NONE));
  SHOW(mprotect(p, 3 * 4096, rw));
  puts(p);
  p[0] = 'K';
  puts(p);
  // A system call sees the protection and tells it as an error.
  int fd = OK(open("file", O_RDWR));
  SHOW(mprotect(p + 4096, 4096, PROT_READ));
  SHOW(read(fd, p + 4096, 4));
  SHOW(write(fd, p + 4096, 4));
  SHOW(mprotect(p + 4096, 4096, PROT_NONE));
  SHOW(write(fd, p + 4096, 4));
  SHOW(syscall(SYS_mprotect, p + 1, 4096L, rw));
  SHOW(mprotect(p, 0, rw));
  SHOW(munmap(p + 8192, 4096));
  SHOW(mprotect(p, 3 * 4096, rw));
  SHOW(munmap(p, 8192));
  int in = OK(open("file", O_RDONLY));
  p = mmap(0, 4096, PROT_READ, MAP_SHARED, in, 0);
  SHOW(mprotect(p, 4096, rw));
  SHOW(munmap(p, 4096));
  return close(fd) | close(in);
}
