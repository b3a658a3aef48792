/* The record layer of a TLS server, and what it does with heartbeats. A record is a type, a version of two bytes, a
 * length of two bytes, and as much payload. Records of one connection share a buffer on the heap.
 *
 * A heartbeat repeats the length of its own payload, which the sender is free to choose. */
#include "../../../systems/sockets.h"

enum { ALERT = 21, HANDSHAKE = 22, HEARTBEAT = 24 };
enum { CLIENT_HELLO = 1, SERVER_HELLO = 2, HEARTBEAT_REQUEST = 1, HEARTBEAT_RESPONSE = 2 };
enum { HEADER_BYTES = 5, RECORD_MAX = 24, PADDING_BYTES = 4 };

struct connection {
  int fd, is_greeted;
  size_t length; /* of the payload in the buffer */
  unsigned char *buffer;
};

static unsigned two_bytes(const unsigned char *at) { return at[0] << 8 | at[1]; }

static void send_record(int fd, unsigned char type, const unsigned char *payload, size_t length) {
  unsigned char header[HEADER_BYTES] = {type, 3, 3, length >> 8, length};
  write_all(fd, header, sizeof header);
  write_all(fd, payload, length);
}

/* Returns the type of the next record, or -1 when there is none. */
static int read_record(struct connection *connection) {
  unsigned char header[HEADER_BYTES];
  if (read_all(connection->fd, header, sizeof header) < sizeof header) return -1;
  size_t length = two_bytes(header + 3);
  if (header[1] != 3 || length > RECORD_MAX) return -1;
  connection->length = length;
  return read_all(connection->fd, connection->buffer, length) == length ? header[0] : -1;
}

static int greet(struct connection *connection) {
  const unsigned char *hello = connection->buffer;
  if (connection->is_greeted || connection->length < 2 || hello[0] != CLIENT_HELLO) return -1;
  unsigned char answer[] = {SERVER_HELLO, hello[1]};
  send_record(connection->fd, HANDSHAKE, answer, sizeof answer);
  connection->is_greeted = 1;
  return 0;
}

static int answer_heartbeat(struct connection *connection) {
  const unsigned char *message = connection->buffer;
  if (connection->length < 1 + 2 + PADDING_BYTES) return 0;
  size_t length = two_bytes(message + 1);
#ifdef REPAIRED
  if (1 + 2 + length + PADDING_BYTES > connection->length) return 0;
#endif
  if (message[0] != HEARTBEAT_REQUEST) return 0;

  size_t size = 1 + 2 + length + PADDING_BYTES;
  unsigned char *answer = malloc(size);
  assert(answer != NULL);
  answer[0] = HEARTBEAT_RESPONSE;
  answer[1] = length >> 8;
  answer[2] = length;
  memcpy(answer + 3, message + 3, length);
  memset(answer + 3 + length, 0, PADDING_BYTES);
  send_record(connection->fd, HEARTBEAT, answer, size);
  free(answer);
  return 0;
}

static void serve(struct connection *connection) {
  int status = 0;
  while (status == 0) {
    switch (read_record(connection)) {
    case HANDSHAKE:
      status = greet(connection);
      break;
    case HEARTBEAT:
      status = connection->is_greeted ? answer_heartbeat(connection) : -1;
      break;
    default: /* an alert, the end, or something unknown */
      status = -1;
    }
  }
}

int main(void) {
  int listener = listening(4433);
  for (;;) {
    struct connection connection = {.fd = accept(listener, NULL, NULL), .buffer = malloc(RECORD_MAX)};
    assert(connection.fd >= 0 && connection.buffer != NULL);
    serve(&connection);
    close(connection.fd);
    free(connection.buffer);
  }
}
