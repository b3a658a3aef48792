//@ native: yes
// getdents64 fills whole records into the buffer, goes on where it stopped, and ends with zero.
#include "../check.h"
#include <stdint.h>
#include <sys/syscall.h>

struct record {
  uint64_t inode;
  int64_t next;
  unsigned short length;
  unsigned char kind;
  char name[];
};

int main(void) {
  char name[16];
  static char buffer[100] __attribute__((aligned(8)));
  need(mkdir("dir", 0755) == 0, "mkdir");
  for (int i = 0; i < 10; i++) {
    snprintf(name, sizeof name, "dir/f%d", i);
    put(name, "x");
  }
  int fd = OK(open("dir", O_RDONLY)), file = OK(open("dir/f0", O_RDONLY));
  int seen = 0, dots = 0, aligned = 1, several = 0;
  for (long n; (n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0; several++)
    for (long at = 0; at < n;) {
      struct record *r = (struct record *)(buffer + at);
      aligned &= r->length % 8 == 0;
      dots += r->name[0] == '.';
      if (r->name[0] == 'f')
        seen |= 1 << (r->name[1] - '0');
      at += r->length;
    }
  printf("seen %x, dots %d, aligned %d, several calls %d\n", seen, dots, aligned, several > 1);
  SHOW(syscall(SYS_getdents64, fd, buffer, sizeof buffer));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(syscall(SYS_getdents64, fd, buffer, 8));
  SHOW(syscall(SYS_getdents64, fd, buffer, sizeof buffer) > 0);
  SHOW(syscall(SYS_getdents64, file, buffer, sizeof buffer));
  SHOW(syscall(SYS_getdents64, minus_one, buffer, sizeof buffer));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(syscall(SYS_getdents64, fd, unmapped, sizeof buffer));
  SHOW(rmdir("dir"));
  return close(fd) | close(file);
}
