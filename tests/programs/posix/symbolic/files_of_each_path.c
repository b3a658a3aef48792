//@ native: no
//@ paths: 2
// After a fork each path has its own files, descriptors' offsets and directory.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char b[16] = {0};
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  assert(write(fd, "common", 6) == 6);
  int x = klee_int("x");
  if (x > 0) {
    assert(write(fd, " more", 5) == 5);
    assert(link("file", "second") == 0);
    assert(chdir("/") == 0);
  } else {
    assert(lseek(fd, 0, SEEK_SET) == 0 && write(fd, "C", 1) == 1);
    assert(unlink("file") == 0);
  }
  long n = pread(fd, b, sizeof b, 0);
  if (x > 0) {
    assert(n == 11 && strcmp(b, "common more") == 0 && lseek(fd, 0, SEEK_CUR) == 11);
    assert(access("file", F_OK) == -1);
    return 1;
  }
  assert(n == 6 && strcmp(b, "Common") == 0 && lseek(fd, 0, SEEK_CUR) == 1);
  assert(access("second", F_OK) == -1 && errno == ENOENT);
  assert(access("file", F_OK) == -1 && errno == ENOENT);
  return 2;
}
