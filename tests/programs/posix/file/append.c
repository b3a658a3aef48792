//@ native: yes
// With O_APPEND each write goes to the end, wherever the offset was; F_SETFL switches it.
#include "../check.h"

int main(void) {
  put("log", "one\n");
  int a = OK(open("log", O_RDWR | O_APPEND));
  int b = OK(open("log", O_WRONLY | O_APPEND));
  SHOW(lseek(a, 0, SEEK_CUR));
  SHOW(write(a, "two\n", 4));
  SHOW(write(b, "three\n", 6));
  SHOW(lseek(a, 0, SEEK_SET));
  SHOW(write(a, "four\n", 5));
  SHOW(lseek(a, 0, SEEK_CUR));
  cat("log");
  SHOW(lseek(a, 0, SEEK_SET));
  char text[4] = "";
  SHOW(read(a, text, 3));
  puts(text);
  // On Linux even pwrite appends.
  SHOW(pwrite(a, "five\n", 5, 0));
  SHOW(lseek(a, 0, SEEK_CUR));
  SHOW(fcntl(a, F_SETFL, 0));
  SHOW(pwrite(a, "ONE", 3, 0));
  SHOW(fcntl(b, F_GETFL) & O_APPEND ? 1 : 0);
  cat("log");
  SHOW(ftruncate(b, 2));
  SHOW(write(b, "|", 1));
  cat("log");
  return close(a) | close(b);
}
