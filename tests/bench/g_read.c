/* Reads a file of the host in pieces of 4 KiB. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  static char piece[4096];
  struct stat about;
  int file = open("/data", O_RDONLY);
  if (file < 0 || fstat(file, &about) != 0)
    abort();
  long total = 0, got;
  while ((got = read(file, piece, sizeof piece)) > 0)
    total += got;
  if (got < 0 || total != about.st_size)
    abort();
  return 0;
}
