// A word is expected to come with one read, on the file whose reads may be cut.
//@ paths: 1
#include <assert.h>
#include <everett.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char word[2];
  if (pipe(ends) < 0) return 1;
  assert(write(ends[1], "go", 2) == 2);
  ioctl(ends[0], EVERETT_IOC_FRAGMENT, 1);
  assert(read(ends[0], word, 2) == 2); // expect: bug assert
  return 0;
}
