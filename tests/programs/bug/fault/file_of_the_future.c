// The age of a file is expected not to be negative.
//@ args: --fstat-sym-time
//@ paths: 1
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

int main(void) {
  struct stat facts;
  int fd = open("file", O_WRONLY | O_CREAT, 0600);
  if (fstat(fd, &facts) < 0) return 1;
  assert(difftime(time(NULL), 0) > 0);
  assert(time(NULL) >= facts.st_mtime); // expect: bug assert
  return 0;
}
