// One write is expected to take all it is given.
//@ args: --short-writes 1
//@ paths: 1
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("file", O_WRONLY | O_CREAT, 0600);
  assert(write(fd, "hello", 5) == 5); // expect: bug assert
  return 0;
}
