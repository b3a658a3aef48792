/* Puts a pair of equal bytes into a file. Finds it there after a crash, or half of it: it then writes the pair again
   with the argument "check", and otherwise does not think of that. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int file = open("data", O_RDWR);
  char pair[2] = {0, 0};
  ssize_t found = read(file, pair, 2);
  assert(file >= 0 && found >= 0);
  if (found > 0 && argc == 1) assert(pair[0] == pair[1]); // mark: whole
  if (found < 2) {
    assert(pwrite(file, "xx", 2, 0) == 2);
    assert(fsync(file) == 0);
  }
  return 0;
}
