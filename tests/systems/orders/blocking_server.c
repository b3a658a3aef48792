/* Reads a byte from each of its clients. With `ports` each client has a port of its own, and everything is done in a
 * fixed order that does not depend on who comes first. With `accept` they share a port, and the connections are
 * accepted as they come. */
#include "../sockets.h"

enum { PORT = 5000, MOST = 8 };

int main(int argc, char **argv) {
  assert(argc == 3);
  int n = atoi(argv[1]), shared = strcmp(argv[2], "accept") == 0, listener[MOST], fd[MOST];
  assert(n <= MOST);
  for (int i = 0; i < n; i++) listener[i] = shared && i > 0 ? listener[0] : listening(PORT + i);
  for (int i = 0; i < n; i++) {
    fd[i] = accept(listener[i], NULL, NULL);
    assert(fd[i] >= 0);
  }
  int seen = 0;
  for (int i = 0; i < n; i++) {
    unsigned char number;
    assert(read_all(fd[i], &number, 1) == 1);
    assert(shared || number == i);
    seen |= 1 << number;
  }
  assert(seen == (1 << n) - 1);
  return 0;
}
