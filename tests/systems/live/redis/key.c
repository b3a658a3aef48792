/* Asks for a key with a symbolic byte. Only one of the keys has a value. */
#include <klee/klee.h>

#include "resp.h"

int main(void) {
  char text[REPLY_BYTES], digit;
  int fd = connected(SOCK_STREAM, "db", 6379);
  request(fd, "SET shelf6 book");
  reply(fd, text);
  assert(strcmp(text, "+OK") == 0);

  klee_make_symbolic(&digit, sizeof digit, "digit");
  klee_assume(digit >= '0');
  klee_assume(digit < '8');
  static const char head[] = "*2\r\n$3\r\nGET\r\n$6\r\nshelf";
  char message[sizeof head + 2];
  memcpy(message, head, sizeof head - 1);
  message[sizeof head - 1] = digit;
  memcpy(message + sizeof head, "\r\n", 2);
  write_all(fd, message, sizeof message);
  reply(fd, text);
  assert(text[0] == '_'); // mark: value
  close(fd);
  return 0;
}
