//@ native: yes
// openat starts at a directory's descriptor, at the working directory, or ignores both for an absolute path.
#include "../check.h"

int main(void) {
  need(mkdir("dir", 0755) == 0 && mkdir("dir/sub", 0755) == 0, "mkdir");
  put("file", "top");
  put("dir/file", "below");
  char text[8] = "";
  int dir = OK(open("dir", O_RDONLY | O_DIRECTORY));
  int fd = OK(openat(dir, "file", O_RDONLY));
  SHOW(read(fd, text, 8));
  bytes("text", text, 5);
  close(fd);
  fd = OK(openat(AT_FDCWD, "file", O_RDONLY));
  SHOW(read(fd, text, 8));
  close(fd);
  fd = OK(openat(dir, "../file", O_RDONLY));
  SHOW(read(fd, text, 8));
  close(fd);
  fd = OK(openat(-1, "/dev/null", O_RDONLY));
  close(fd);
  fd = OK(openat(dir, "sub/new", O_WRONLY | O_CREAT | O_EXCL, 0600));
  close(fd);
  SHOW(access("dir/sub/new", F_OK));
  // The descriptor keeps the directory when its name changes.
  SHOW(rename("dir", "moved"));
  fd = OK(openat(dir, "sub/new", O_RDONLY));
  close(fd);
  OK(openat(-1, "file", O_RDONLY));
  OK(openat(9999, "file", O_RDONLY));
  fd = OK(open("file", O_RDONLY));
  OK(openat(fd, "file", O_RDONLY));
  OK(openat(fd, "", O_RDONLY));
  OK(openat(dir, "none", O_RDONLY));
  OK(openat(dir, "", O_RDONLY));
  close(fd);
  SHOW(close(dir));
  OK(openat(dir, "file", O_RDONLY));
  return 0;
}
