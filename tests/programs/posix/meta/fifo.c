//@ native: yes
// mkfifo and mknod make a named pipe, which without waiting opens for writing only if somebody reads.
#include "../check.h"
#include <signal.h>

int main(void) {
  be_ordinary_user();
  struct stat st;
  char text[8] = "";
  SHOW(mkfifo("fifo", 0600));
  SHOW(mkfifo("fifo", 0600));
  SHOW(mkfifo("none/fifo", 0600));
  SHOW(mkfifo("", 0600));
  SHOW(stat("fifo", &st));
  IS(S_ISFIFO(st.st_mode));
  OK(open("fifo", O_WRONLY | O_NONBLOCK));
  int in = OK(open("fifo", O_RDONLY | O_NONBLOCK));
  SHOW(read(in, text, 8));
  int out = OK(open("fifo", O_WRONLY | O_NONBLOCK));
  SHOW(read(in, text, 8));
  SHOW(write(out, "hello", 5));
  SHOW(read(in, text, 8));
  puts(text);
  SHOW(lseek(in, 0, SEEK_SET));
  SHOW(close(out));
  SHOW(read(in, text, 8));
  int both = OK(open("fifo", O_RDWR));
  SHOW(write(both, "ab", 2));
  SHOW(read(in, text, 8));
  SHOW(close(both));
  SHOW(close(in));
  SHOW(unlink("fifo"));
  SHOW(mknod("node", S_IFIFO | 0600, 0));
  SHOW(stat("node", &st));
  IS(S_ISFIFO(st.st_mode));
  SHOW(mknod("plain", S_IFREG | 0640, 0));
  SHOW(mknod("plain", S_IFREG | 0640, 0));
  SHOW(mknod("zero", 0600, 0));
  SHOW(stat("zero", &st));
  IS(S_ISREG(st.st_mode));
  SHOW(mknod("dir", S_IFDIR | 0700, 0));
  SHOW(mknod("device", S_IFCHR | 0600, 0x103));
  SHOW(mknod("odd", 0170000 | 0600, 0));
  return 0;
}
