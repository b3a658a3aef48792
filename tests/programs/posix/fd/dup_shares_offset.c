//@ native: yes
// dup gives another number for the same open file: offset and status flags are shared, the close flag is not.
#include "../check.h"

int main(void) {
  char text[8] = "";
  put("file", "0123456789");
  int a = OK(open("file", O_RDWR | O_CLOEXEC));
  int b = OK(dup(a));
  int apart = OK(open("file", O_RDONLY));
  SHOW(read(a, text, 3));
  SHOW(lseek(b, 0, SEEK_CUR));
  SHOW(lseek(apart, 0, SEEK_CUR));
  SHOW(lseek(b, 8, SEEK_SET));
  SHOW(read(a, text, 8));
  bytes("text", text, 2);
  SHOW(fcntl(a, F_GETFD));
  SHOW(fcntl(b, F_GETFD));
  SHOW(fcntl(b, F_SETFL, O_APPEND));
  SHOW(fcntl(a, F_GETFL) & O_APPEND ? 1 : 0);
  SHOW(fcntl(apart, F_GETFL) & O_APPEND ? 1 : 0);
  SHOW(close(a));
  SHOW(write(b, "x", 1));
  cat("file");
  SHOW(dup(a));
  SHOW(dup(-1));
  return close(b) | close(apart);
}
