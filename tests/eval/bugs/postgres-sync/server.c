/* A server for databases. A message is a kind, a length and as many bytes: a query to run, a value for a parameter, or
 * the end. Memory for the bytes may be short; then the server says so, and goes on with the next message. */
#include "../../../systems/sockets.h"

enum { LENGTH_MAX = 32 };

struct header {
  char kind;
  unsigned char length;
};

/* Runs a query. The client of this system never drops anything. */
static void run_query(int fd, const char *query) {
  assert(strncmp(query, "drop", 4) != 0);
  write_all(fd, "done\n", 5);
}

#ifdef REPAIRED
/* Throws the bytes of a message away. Returns 0 at the end of the connection. */
static int skip(int fd, size_t length) {
  char byte;
  for (; length > 0; length--)
    if (read(fd, &byte, 1) != 1) return 0;
  return 1;
}
#endif

/* Reads the bytes of a message, and a zero behind them. Returns NULL if memory is short. */
static char *read_body(int fd, size_t length) {
  char *body = malloc(length + 1);
  if (body == NULL) return NULL;
  body[read_all(fd, body, length)] = 0;
  return body;
}

/* Serves one message. Returns 0 at the end of the connection. */
static int serve(int fd) {
  struct header header;
  if (read_all(fd, &header, sizeof header) < sizeof header || header.length > LENGTH_MAX) return 0;
  char *body = read_body(fd, header.length);
  if (body == NULL) {
    write_all(fd, "out of memory\n", 14);
#ifdef REPAIRED
    return skip(fd, header.length);
#else
    return 1;
#endif
  }
  int is_over = 0;
  switch (header.kind) {
  case 'Q':
    run_query(fd, body);
    break;
  case 'B':
    write_all(fd, "bound\n", 6);
    break;
  default:
    is_over = 1;
  }
  free(body);
  return !is_over;
}

int main(void) {
  int listener = listening(5432);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    while (serve(fd)) {}
    close(fd);
  }
}
