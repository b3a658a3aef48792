// A file may be older, newer or as old as the clock says; asked again, it tells the same.
//@ args: --fstat-sym-time
//@ paths: 3
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

int main(void) {
  struct stat first, second;
  int fd = open("file", O_WRONLY | O_CREAT, 0600);
  time_t now = time(NULL);
  assert(fstat(fd, &first) == 0 && stat("file", &second) == 0);
  assert(first.st_mtime == second.st_mtime);
  if (first.st_mtime < now) return puts("old"), 0;
  if (first.st_mtime > now) return puts("new"), 0;
  assert(first.st_mtime == now);
  return 0;
}
