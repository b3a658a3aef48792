/* Knows the squares of its keys. */
#include "proxy.h"

int main(void) {
  int listener = listening(BACKEND_PORT), proxy = accept(listener, NULL, NULL);
  assert(proxy >= 0);
  struct message message;
  while (read_all(proxy, &message, sizeof message) == sizeof message) {
    message.value = message.key * message.key;
    write_all(proxy, &message, sizeof message);
  }
  return 0;
}
