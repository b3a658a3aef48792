// One read is expected to give all there is.
//@ args: --short-reads 1
//@ paths: 1
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[5];
  if (pipe(ends) < 0 || write(ends[1], "hello", 5) != 5) return 0;
  assert(read(ends[0], text, 5) == 5); // expect: bug assert
  return 0;
}
