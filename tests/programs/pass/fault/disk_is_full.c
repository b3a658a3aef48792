// Two blocks are free: 8192 bytes fit, and no more until something is deleted.
//@ args: --disk-full 8K
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char block[4096];

int main(void) {
  int first = open("first", O_WRONLY | O_CREAT, 0600), second = open("second", O_WRONLY | O_CREAT, 0600);
  memset(block, 'x', sizeof block);
  assert(write(first, block, sizeof block) == sizeof block);
  assert(write(second, block, sizeof block) == sizeof block);
  assert(write(second, block, 1) < 0 && errno == ENOSPC);
  assert(close(first) == 0 && unlink("first") == 0);
  assert(write(second, block, 1) == 1);
  return 0;
}
