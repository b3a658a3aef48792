//@ native: yes
// What changes content moves the time of modification, what changes the file itself only the time of change.
#include "../check.h"
#include <time.h>

static struct timespec modified, changed;

static int later(struct timespec a, struct timespec b) {
  return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

// Prints which of the two times has moved, and waits so that the next can be seen.
static void moved(const char *what, const char *path) {
  struct stat st;
  need(lstat(path, &st) == 0, path);
  printf("%s: modified %d, changed %d\n", what, later(st.st_mtim, modified), later(st.st_ctim, changed));
  modified = st.st_mtim, changed = st.st_ctim;
  struct timespec pause = {0, 20000000};
  nanosleep(&pause, 0);
}

int main(void) {
  put("file", "0123456789");
  need(mkdir("dir", 0755) == 0, "mkdir");
  int fd = OK(open("file", O_RDWR));
  moved("made", "file");
  char byte;
  SHOW(read(fd, &byte, 1));
  moved("read", "file");
  SHOW(write(fd, "x", 1));
  moved("write", "file");
  SHOW(write(fd, "x", 0));
  moved("empty write", "file");
  SHOW(chmod("file", 0600));
  moved("chmod", "file");
  SHOW(link("file", "second"));
  moved("link", "file");
  SHOW(unlink("second"));
  moved("unlink", "file");
  SHOW(ftruncate(fd, 3));
  moved("truncate", "file");
  SHOW(rename("file", "other"));
  moved("rename", "other");
  modified = changed = (struct timespec){0, 0};
  moved("directory", "dir");
  put("dir/new", "x");
  moved("entry made", "dir");
  put("dir/new", "changed");
  moved("entry written", "dir");
  SHOW(rename("dir/new", "dir/newer"));
  moved("entry renamed", "dir");
  SHOW(unlink("dir/newer"));
  moved("entry removed", "dir");
  SHOW(chmod("dir", 0700));
  moved("mode of directory", "dir");
  return close(fd);
}
