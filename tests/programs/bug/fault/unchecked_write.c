// What was written is expected to be there.
//@ args: --max-sys-fail 1 --sys-fail write
//@ paths: 1
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("log", O_RDWR | O_CREAT, 0600);
  write(fd, "abc", 3);
  char text[4] = "";
  assert(pread(fd, text, 3, 0) == 3); // expect: bug assert
  return close(fd);
}
