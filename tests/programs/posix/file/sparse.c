//@ native: yes
// What was never written between two written places reads as zeros and costs no blocks.
#include "../check.h"

static char block[8192];

int main(void) {
  struct stat st;
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(pwrite(fd, "head", 4, 0));
  SHOW(pwrite(fd, "tail", 4, 100L << 20));
  SHOW(fstat(fd, &st));
  printf("size %ld, blocks below 1 MiB: %d\n", (long)st.st_size, st.st_blocks < 2048);
  int nonzero = 0;
  for (long at = 4096; at < 10 * 4096; at += 4096) {
    pread(fd, block, 4096, at);
    for (int i = 0; i < 4096; i++)
      nonzero += block[i] != 0;
  }
  NUM(nonzero);
  SHOW(pread(fd, block, 8, (100L << 20) - 4));
  bytes("block", block, 8);
  SHOW(ftruncate(fd, 2));
  SHOW(ftruncate(fd, 8));
  cat("file");
  return close(fd);
}
