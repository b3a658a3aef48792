/* Accepts a connection, or lets nobody in. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "accept") == 0) assert(accept(listening(5000), NULL, NULL) >= 0);
  return 0;
}
