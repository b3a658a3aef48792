// A read from a pipe whose only writer is the reader.
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  if (pipe(ends))
    return 1;
  return read(ends[0], &byte, 1) == 1; // expect: bug deadlock
}
