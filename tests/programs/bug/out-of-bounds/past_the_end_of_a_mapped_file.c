// The rest of the last page of a mapped file is zero; the page behind it is not there.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

volatile char sink;

int main(void) {
  int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, 100))
    return 1;
  volatile char *bytes = mmap(0, 8192, PROT_READ, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED)
    return 1;
  sink = bytes[4095];
  sink = bytes[4096]; // expect: bug out-of-bounds
  // expect: message contains "beyond the end of the mapped file"
  return 0;
}
