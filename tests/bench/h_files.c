/* Writes 10,000 files of 100 MiB in all, then branches: each branch changes one file. */
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FILES 10000
#define BYTES (100 * 1024 * 1024 / FILES)

static int change(const char *name, const void *bytes, size_t size) {
  int file = open(name, O_WRONLY | O_CREAT, 0644);
  return file < 0 || write(file, bytes, size) != (long)size || close(file) != 0;
}

int main(void) {
  static char content[BYTES];
  char name[16];
  unsigned short choice;
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "f%d", i);
    if (change(name, content, sizeof content))
      abort();
  }
  klee_make_symbolic(&choice, sizeof choice, "choice");
  for (int bit = 0; bit < 10; bit++)
    if (choice & 1 << bit) {
      snprintf(name, sizeof name, "f%d", bit);
      if (change(name, "changed", 7))
        abort();
    }
  return 0;
}
