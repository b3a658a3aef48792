/* A web server that keeps what it reads in a queue of chunks, one for each read. The head of a request ends with an
 * empty line, which may be spread over several chunks. The connection is read from until the head is complete. */
#include "../../../systems/sockets.h"

enum { CHUNK_BYTES = 64, CHUNKS_MAX = 12 };
enum state { READ, REQUEST_END, CLOSE };

struct chunk {
  size_t length;
  char bytes[CHUNK_BYTES];
};

struct connection {
  int fd, is_over;
  enum state state;
  struct chunk chunks[CHUNKS_MAX];
  int count;
};

static const char terminator[] = "\r\n\r\n";

/* How a search for the end of the head ends. */
enum found { NOTHING, PART, WHOLE };

/* Looks whether the terminator is at a place. It may go on in later chunks, or be cut off by the end of what was
 * read. */
static enum found match(const struct connection *connection, int chunk, size_t at) {
  for (const char *expected = terminator; *expected != 0; expected++) {
    while (chunk < connection->count && at == connection->chunks[chunk].length) {
      chunk++;
      at = 0;
    }
    if (chunk == connection->count) return PART;
    if (connection->chunks[chunk].bytes[at++] != *expected) return NOTHING;
  }
  return WHOLE;
}

/* Looks for the end of the head in all chunks. */
static enum found find_end(const struct connection *connection) {
  for (int chunk = 0; chunk < connection->count; chunk++)
    for (size_t at = 0; at < connection->chunks[chunk].length; at++) {
      enum found found = match(connection, chunk, at);
      if (found != NOTHING) return found;
    }
  return NOTHING;
}

/* Reads what has come into a new chunk. */
static void read_chunk(struct connection *connection) {
  if (connection->count == CHUNKS_MAX) {
    connection->is_over = 1;
    return;
  }
  struct chunk *chunk = &connection->chunks[connection->count];
  ssize_t got = read(connection->fd, chunk->bytes, CHUNK_BYTES);
  if (got <= 0) {
    connection->is_over = 1;
    return;
  }
  chunk->length = got;
  connection->count++;
}

static void handle_read(struct connection *connection) {
  if (!connection->is_over) read_chunk(connection);
  switch (find_end(connection)) {
  case WHOLE:
    connection->state = REQUEST_END;
    break;
  case PART: /* the rest may come */
#ifdef REPAIRED
    if (connection->is_over) connection->state = CLOSE;
#endif
    break;
  case NOTHING:
    if (connection->is_over) connection->state = CLOSE;
    break;
  }
}

static void serve(struct connection *connection) {
  for (;;) {
    switch (connection->state) {
    case READ:
      handle_read(connection);
      break;
    case REQUEST_END:
      send(connection->fd, "HTTP/1.1 204 \r\n\r\n", 17, MSG_NOSIGNAL);
      connection->state = CLOSE;
      break;
    case CLOSE:
      close(connection->fd);
      return;
    }
  }
}

int main(void) {
  int listener = listening(8080);
  for (;;) {
    struct connection connection = {.fd = accept(listener, NULL, NULL), .state = READ};
    assert(connection.fd >= 0);
    serve(&connection);
  }
}
