// What a socket looks like as a file: its kind, no position, its link in /proc.
#include "net.h"

int main(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct stat s;
  SHOW(fstat(fd, &s));
  IS(S_ISSOCK(s.st_mode));
  NUM(s.st_mode & 0777);
  NUM(s.st_size);
  SHOW(lseek(fd, 0, SEEK_CUR));
  char byte = 0;
  SHOW(pread(fd, &byte, 1, 0));
  SHOW(pwrite(fd, &byte, 1, 0));
  SHOW(ftruncate(fd, 0));
  SHOW(fsync(fd));
  char path[64], link[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(path, link, sizeof link);
  IS(n > 9 && !strncmp(link, "socket:[", 8) && link[n - 1] == ']');
  OK(open(path, O_RDWR));
  return 0;
}
