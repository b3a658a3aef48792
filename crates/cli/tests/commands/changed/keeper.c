/* Writes a record in two steps, and relies on both after a crash. FIXED writes it beside and renames it; LOUD keeps a
 * journal, which changes other files. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void check(int fd) {
  char letter = 0;
  assert(read(fd, &letter, 1) == 1);
  assert(letter == 'y');
}

int main(void) {
#ifdef FIXED
  const char *name = "/tmp/beside";
#else
  const char *name = "/tmp/record";
#endif
#ifdef LOUD
  int journal = open("/tmp/journal", O_CREAT | O_WRONLY | O_APPEND, 0600);
  write(journal, "begins", 6);
  fsync(journal);
#endif
  int fd = open("/tmp/record", O_RDONLY);
  if (fd >= 0) {
    check(fd);
    return 0;
  }
  fd = open(name, O_CREAT | O_WRONLY, 0600);
  write(fd, "n", 1);
  fsync(fd);
  int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
  fsync(folder);
  pwrite(fd, "y", 1, 0);
  fsync(fd);
  if (name[5] == 'b') rename(name, "/tmp/record");
  fsync(folder);
  return 0;
}
