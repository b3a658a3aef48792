// One of the reads from the first pipe gives one or two of three bytes; those from the second give all there is.
//@ paths: 5
#include <assert.h>
#include <everett.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int word(int from, char *word) {
  int reads = 0;
  for (int done = 0; done < 3; reads++) {
    ssize_t more = read(from, word + done, 3 - done);
    assert(more > 0);
    done += more;
  }
  return reads;
}

int main(void) {
  int first[2], second[2];
  char text[4] = "";
  assert(pipe(first) == 0 && pipe(second) == 0);
  // What is read before is whole.
  assert(write(first[1], "abc", 3) == 3 && word(first[0], text) == 1);
  assert(ioctl(first[0], EVERETT_IOC_FRAGMENT, 1) == 0);
  for (int i = 0; i < 2; i++) {
    assert(write(first[1], "def", 3) == 3 && write(second[1], "ghi", 3) == 3);
    assert(word(second[0], text) == 1 && strcmp(text, "ghi") == 0);
    assert(word(first[0], text) <= 2 && strcmp(text, "def") == 0);
  }
  return 0;
}
