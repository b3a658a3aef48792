/* Sends a message in pieces of a given size, says that it is done, and expects the whole back. */
#include "../sockets.h"

int main(int argc, char **argv) {
  size_t total = atoi(argv[1]), piece = atoi(argv[2]);
  char *out = calloc(total, 1), *in = malloc(total + 1);
  for (size_t at = 0; at < total; at += 7) out[at] = at % 251;
  int fd = connected(SOCK_STREAM, "server", 7000);
  for (size_t at = 0; at < total; at += piece)
    write_all(fd, out + at, piece < total - at ? piece : total - at); // mark: writes
  assert(shutdown(fd, SHUT_WR) == 0);
  assert(read_all(fd, in, total + 1) == total);
  assert(memcmp(in, out, total) == 0);
  close(fd);
  free(in);
  free(out);
  return 0;
}
