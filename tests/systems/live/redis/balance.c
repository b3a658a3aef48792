/* Makes one of several requests on an account, and shows the balance on a display of few digits. */
#include <klee/klee.h>

#include "resp.h"

/* Digits and sign of a balance, and the zero at its end. */
#ifndef DISPLAY_BYTES
#define DISPLAY_BYTES 5
#endif

static const char *const requests[] = {
    "GET account", "INCRBY account 9", "DECRBY account 199", "INCRBY owner 1", "GET nobody",
};

static void show(const char *reply) {
  char display[DISPLAY_BYTES] = "";
  switch (reply[0]) {
  case ':':
  case '$':
    for (int i = 0; reply[i] != 0; i++) display[i] = reply[i + 1]; // mark: overflow
    break;
  case '_':
    strcpy(display, "no");
    break;
#ifndef UNPREPARED
  case '-':
    strcpy(display, "err");
    break;
#endif
  default:
    assert(reply[0] == '+'); // mark: error
  }
  assert(strlen(display) < sizeof display);
}

int main(void) {
  char text[REPLY_BYTES];
  int fd = connected(SOCK_STREAM, "db", 6379);
  request(fd, "MSET account 91 owner ann");
  reply(fd, text);
  assert(strcmp(text, "+OK") == 0);

  unsigned char choice;
  klee_make_symbolic(&choice, sizeof choice, "choice");
  klee_assume(choice < sizeof requests / sizeof requests[0]);
  for (unsigned char i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    if (i != choice) continue;
    request(fd, requests[i]);
    reply(fd, text);
    show(text);
  }
  close(fd);
  return 0;
}
