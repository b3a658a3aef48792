//@ native: yes
// Each error of open that a path alone can cause.
#include "../check.h"

static char component[300], path[5000];

int main(void) {
  be_ordinary_user();
  put("file", "text");
  need(mkdir("dir", 0755) == 0 && mkdir("locked", 0700) == 0, "mkdir");
  put("locked/inside", "text");
  need(symlink("loop", "loop") == 0 && symlink("file", "link") == 0, "symlink");
  OK(open("", O_RDONLY));
  OK(open("none", O_RDWR));
  OK(open("none/file", O_RDWR | O_CREAT, 0600));
  OK(open("file/below", O_RDONLY));
  OK(open("file/", O_RDONLY));
  OK(open("link/", O_RDONLY));
  OK(open("new/", O_WRONLY | O_CREAT, 0600));
  OK(open("dir", O_WRONLY));
  OK(open("dir", O_RDWR));
  OK(open("dir", O_RDONLY | O_CREAT, 0600));
  OK(open("dir", O_RDONLY | O_TRUNC));
  OK(open("loop", O_RDONLY));
  OK(open("link", O_RDONLY | O_NOFOLLOW));
  OK(open("file", O_RDONLY | O_DIRECTORY));
  OK(open("link", O_RDONLY | O_DIRECTORY));
  memset(component, 'n', 256);
  OK(open(component, O_RDONLY));
  OK(open(component, O_WRONLY | O_CREAT, 0600));
  component[255] = 0;
  OK(open(component, O_RDONLY));
  for (int i = 0; i < 4095; i += 2)
    memcpy(path + i, "./", 2);
  OK(open(path, O_RDONLY));
  path[4095] = 0;
  OK(open(path, O_RDONLY | O_DIRECTORY) == -1 ? -1 : 0);
  need(chmod("locked", 0) == 0, "chmod");
  OK(open("locked/inside", O_RDONLY));
  OK(open("locked", O_RDONLY));
  need(chmod("locked", 0500) == 0, "chmod");
  int fd = OK(open("locked/inside", O_RDWR));
  close(fd);
  OK(open("locked/new", O_WRONLY | O_CREAT, 0600));
  need(chmod("locked", 0700) == 0, "chmod");
  OK(open(unmapped, O_RDONLY));
  OK(open("file", O_RDONLY | O_TMPFILE));
  return 0;
}
