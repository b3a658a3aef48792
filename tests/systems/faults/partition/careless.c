/* Leads if it is the first of the two, or hears nothing from the other. */
#include "pair.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  int fd = joined(argv[1]), first = argv[2][0] == '1';
  assert(write(fd, "?", 1) == 1);
  int leads = heard(fd) == '?' ? first : 1;
  assert(write(fd, leads ? "L" : "F", 1) == 1);
  assert(!(heard(fd) == 'L' && leads)); // mark: one
  return 0;
}
