/* Fetches one of several pages, and follows or reads what comes. */
#include <klee/klee.h>

#include "http.h"

#ifndef PLACE_BYTES
#define PLACE_BYTES 64
#endif

static const char *const requests[] = {
    "GET / HTTP/1.1\r\nHost: web\r\n\r\n",
    "GET /old HTTP/1.1\r\nHost: web\r\n\r\n",
    "GET /none HTTP/1.1\r\nHost: web\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: web\r\nIf-None-Match: *\r\n\r\n",
};

static void follow(const struct answer *answer) {
  char place[PLACE_BYTES];
  const char *value = header(answer, "Location");
  size_t length = 0;
  assert(value != NULL);
  for (; value[length] != '\r'; length++) place[length] = value[length]; // mark: overflow
  place[length] = 0;
  assert(place[0] == '/');
}

static void read_page(int fd, const struct answer *answer) {
  char page[512];
  const char *value = header(answer, "Content-Length");
#ifndef HASTY
  /* An answer without changes has no page. */
  if (answer->status == 304) return;
#endif
  assert(value != NULL); // mark: length
  size_t size = atoi(value);
  assert(size <= sizeof page);
  assert(read_all(fd, page, size) == size);
  assert(page[0] == '<');
}

int main(void) {
  static struct answer answer;
  unsigned char choice;
  int fd = connected(SOCK_STREAM, "web", 8080);
  klee_make_symbolic(&choice, sizeof choice, "choice");
  klee_assume(choice < sizeof requests / sizeof requests[0]);
  for (unsigned char i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    if (i != choice) continue;
    write_all(fd, requests[i], strlen(requests[i]));
    receive_head(fd, &answer);
    if (answer.status == 301)
      follow(&answer);
    else
      read_page(fd, &answer);
  }
  close(fd);
  return 0;
}
