// The errors that are named, instead of the usual one.
//@ args: --max-sys-fail 1 --open-errno EMFILE,EIO --sys-fail open,openat
//@ paths: 3
#include <assert.h>
#include <errno.h>
#include <fcntl.h>

int main(void) {
  if (open("file", O_WRONLY | O_CREAT, 0600) < 0) assert(errno == EMFILE || errno == EIO);
  return 0;
}
