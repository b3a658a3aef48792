//@ native: yes
// /dev/null, /dev/zero, /dev/full and /dev/urandom behave as such.
#include "../check.h"
#include <sys/sysmacros.h>

static unsigned char one[256], two[256];

static void kind(const char *path) {
  struct stat st;
  int r = stat(path, &st);
  printf("%s: %d, character device %d, %u:%u\n", path, r, S_ISCHR(st.st_mode), major(st.st_rdev),
         minor(st.st_rdev));
}

int main(void) {
  kind("/dev/null"), kind("/dev/zero"), kind("/dev/full"), kind("/dev/urandom");
  int null = OK(open("/dev/null", O_RDWR));
  SHOW(read(null, one, 10));
  SHOW(write(null, "text", 4));
  SHOW(write(null, "text", 0));
  int zero = OK(open("/dev/zero", O_RDWR));
  memset(one, 7, sizeof one);
  SHOW(read(zero, one, 256));
  SHOW(memcmp(one, two, 256));
  SHOW(write(zero, "text", 4));
  SHOW(pread(zero, one, 4, 1000));
  int full = OK(open("/dev/full", O_RDWR));
  SHOW(read(full, one, 5));
  SHOW(write(full, "text", 4));
  SHOW(write(full, "text", 0));
  int random = OK(open("/dev/urandom", O_RDONLY));
  SHOW(read(random, one, 256));
  SHOW(read(random, two, 256));
  IS(memcmp(one, two, 256) == 0);
  SHOW(read(random, one, 0));
  OK(open("/dev/null", O_RDONLY | O_DIRECTORY));
  OK(open("/dev/null/below", O_RDONLY));
  OK(open("/dev/null", O_RDWR | O_CREAT | O_EXCL, 0600));
  int again = OK(open("/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600));
  return close(null) | close(zero) | close(full) | close(random) | close(again);
}
