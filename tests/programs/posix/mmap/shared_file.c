//@ native: yes
// A shared mapping, the file and other mappings of it are one: each sees what the others write.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  char text[16] = "";
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char *q = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
  IS(p != MAP_FAILED && q != MAP_FAILED && p != q);
  memcpy(p, "abc", 3);
  bytes("q", q, 10);
  SHOW(pread(fd, text, 10, 0));
  bytes("text", text, 10);
  SHOW(pwrite(fd, "XYZ", 3, 7));
  bytes("p", p, 10);
  bytes("q", q, 10);
  // Growing the file makes more of the page its content; what lies past the end is lost.
  SHOW(ftruncate(fd, 12));
  p[11] = '!';
  cat("file");
  SHOW(msync(p, 4096, MS_SYNC));
  SHOW(ftruncate(fd, 4));
  SHOW(ftruncate(fd, 6));
  bytes("p", p, 6);
  SHOW(close(fd));
  p[0] = '-';
  SHOW(munmap(p, 4096));
  SHOW(munmap(q, 4096));
  cat("file");
  return 0;
}
