//@ native: yes
// A symbolic link holds any text; readlink gives it without a final zero, cut at the buffer.
#include "../check.h"

static char longer[5000];

int main(void) {
  be_ordinary_user();
  char text[16];
  struct stat st;
  SHOW(symlink("some/target", "link"));
  memset(text, '#', sizeof text);
  SHOW(readlink("link", text, sizeof text));
  bytes("text", text, 13);
  SHOW(readlink("link", text, 4));
  bytes("text", text, 4);
  SHOW(lstat("link", &st));
  printf("%o %ld\n", (unsigned)st.st_mode, (long)st.st_size);
  SHOW(symlink("other", "link"));
  SHOW(symlink("", "empty"));
  SHOW(symlink("x", ""));
  SHOW(symlink("x", "none/link"));
  SHOW(symlink("x", "new/"));
  put("file", "content");
  SHOW(symlink("x", "file/link"));
  SHOW(symlink("x", "file"));
  memset(longer, 'l', 4096);
  SHOW(symlink(longer, "long"));
  longer[256] = 0;
  SHOW(symlink("x", longer));
  SHOW(symlink(unmapped, "x"));
  need(mkdir("locked", 0500) == 0, "mkdir");
  SHOW(symlink("x", "locked/link"));
  SHOW(readlink("file", text, sizeof text));
  SHOW(readlink(".", text, sizeof text));
  SHOW(readlink("none", text, sizeof text));
  SHOW(readlink("file/x", text, sizeof text));
  SHOW(readlink("link/", text, sizeof text));
  int dir = OK(open(".", O_RDONLY));
  SHOW(symlinkat("second", dir, "link2"));
  SHOW(readlinkat(dir, "link2", text, sizeof text));
  SHOW(readlinkat(minus_one, "link2", text, sizeof text));
  SHOW(symlinkat("second", minus_one, "link3"));
  int link = OK(open("link2", O_PATH | O_NOFOLLOW));
  SHOW(readlinkat(link, "", text, sizeof text));
  bytes("text", text, 6);
  return close(dir) | close(link);
}
