/* Fetches the end of a page of 39 bytes, from a place with a symbolic digit on. */
#include <klee/klee.h>

#include "http.h"

int main(void) {
  static struct answer answer;
  static char request[] = "GET / HTTP/1.1\r\nHost: web\r\nRange: bytes=3?-\r\n\r\n";
  char digit;
  klee_make_symbolic(&digit, sizeof digit, "digit");
  klee_assume(digit >= '0');
  klee_assume(digit <= '9');
  *strchr(request, '?') = digit;
  int fd = connected(SOCK_STREAM, "web", 8080);
  write_all(fd, request, sizeof request - 1);
  receive_head(fd, &answer);
  const char *value = header(&answer, "Content-Range");
  unsigned first, last;
  /* A range that begins behind the page has none. */
  assert(value != NULL); // mark: range
  assert(sscanf(value, "bytes %u-%u/39", &first, &last) == 2);
  assert(first >= 30 && last == 38);
  close(fd);
  return 0;
}
