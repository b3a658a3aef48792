/* Has a number on its disk, and does nothing else: it writes it synchronously with the argument "osync", syncs it with
   "fsync", or through a mapping with "msync". When it begins again, it looks for it. */
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
  assert(argc == 2);
  int file = open("number", O_RDWR | (strcmp(argv[1], "osync") == 0 ? O_SYNC : 0));
  char number = 0;
  assert(file >= 0 && read(file, &number, 1) == 1);
  assert(number != 7); // mark: there
  number = 7;
  if (strcmp(argv[1], "msync") == 0) {
    char *map = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert(map != MAP_FAILED);
    *map = number;
    assert(msync(map, 1, MS_SYNC) == 0);
  } else {
    assert(pwrite(file, &number, 1, 0) == 1);
    if (strcmp(argv[1], "fsync") == 0) assert(fsync(file) == 0);
  }
  for (;;) pause();
}
