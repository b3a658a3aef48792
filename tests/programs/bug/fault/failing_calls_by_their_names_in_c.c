// Calls that fail are named as C has them: the kernel calls pwrite pwrite64, and printf is made of writev.
//@ args: --max-sys-fail 1 --sys-fail pwrite,fprintf
//@ paths: 1
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int fd = open("log", O_RDWR | O_CREAT, 0600);
  assert(write(fd, "abc", 3) == 3);
  assert(pwrite(fd, "d", 1, 3) == 1); // expect: bug assert
  FILE *file = fopen("other", "w");
  assert(file && fprintf(file, "text") == 4);
  assert(fclose(file) == 0); // expect: bug assert
  return close(fd);
}
