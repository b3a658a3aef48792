//@ native: yes
// sendfile copies inside the kernel, from an offset of its own or the descriptor's.
#include "../check.h"
#include <sys/sendfile.h>

int main(void) {
  put("from", "0123456789");
  int in = OK(open("from", O_RDONLY)), out = OK(open("to", O_RDWR | O_CREAT, 0600));
  SHOW(sendfile(out, in, 0, 4));
  SHOW(lseek(in, 0, SEEK_CUR));
  SHOW(lseek(out, 0, SEEK_CUR));
  off_t offset = 7;
  SHOW(sendfile(out, in, &offset, 100));
  NUM(offset);
  SHOW(lseek(in, 0, SEEK_CUR));
  SHOW(sendfile(out, in, &offset, 100));
  SHOW(sendfile(out, in, 0, 0));
  cat("to");
  offset = -1;
  SHOW(sendfile(out, in, &offset, 1));
  SHOW(sendfile(in, in, 0, 1));
  SHOW(sendfile(out, -1, 0, 1));
  SHOW(sendfile(-1, in, 0, 1));
  SHOW(sendfile(out, in, unmapped, 1));
  int writeonly = OK(open("from", O_WRONLY)), appending = OK(open("to", O_WRONLY | O_APPEND));
  SHOW(sendfile(out, writeonly, 0, 1));
  SHOW(sendfile(appending, in, 0, 1));
  int pair[2];
  SHOW(pipe(pair));
  offset = 2;
  SHOW(sendfile(pair[1], in, &offset, 5));
  char text[8] = "";
  SHOW(read(pair[0], text, 8));
  puts(text);
  close(pair[0]), close(pair[1]);
  return close(in) | close(out) | close(writeonly) | close(appending);
}
