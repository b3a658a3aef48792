//@ native: yes
// Content survives writes and reads of sizes that fit no page, in any order.
#include "../check.h"

static unsigned char chunk[3001], back[5003];

static unsigned char content(long at) { return (unsigned char)(at * 7 + at / 251); }

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  long size = 60 * (long)sizeof chunk;
  for (long i = 59; i >= 0; i--) {
    long start = (i * 37 % 60) * (long)sizeof chunk;
    for (long k = 0; k < (long)sizeof chunk; k++)
      chunk[k] = content(start + k);
    need(pwrite(fd, chunk, sizeof chunk, start) == sizeof chunk, "pwrite");
  }
  long at = 0, wrong = 0;
  for (long n; (n = read(fd, back, sizeof back)) > 0; at += n)
    for (long k = 0; k < n; k++)
      wrong += back[k] != content(at + k);
  NUM(at == size);
  NUM(wrong);
  SHOW(ftruncate(fd, 4097));
  SHOW(ftruncate(fd, 9000));
  SHOW(pread(fd, back, 4903, 4097));
  wrong = 0;
  for (int k = 0; k < 4903; k++)
    wrong += back[k] != 0;
  NUM(wrong);
  SHOW(pread(fd, back, 1, 4096));
  NUM(back[0] == content(4096));
  return close(fd);
}
