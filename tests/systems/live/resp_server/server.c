/* A server of one counter and of one value, which speaks RESP. */
#include <klee/klee.h>

#include "../../sockets.h"

/* Digits of the counter, and the zero behind them. */
#ifndef DIGIT_BYTES
#define DIGIT_BYTES 12
#endif

enum { WORDS_MAX = 4, BUFFER_BYTES = 512 };

struct client {
  int fd;
  size_t length;
  char buffer[BUFFER_BYTES];
};

struct request {
  int count;
  char *words[WORDS_MAX];
  int sizes[WORDS_MAX];
};

static int hits, value_size;
static char value[16];

/* The place behind a line of a number that begins with a certain byte; NULL if it is not all there. */
static char *number_line(char *at, char *end, char first, int *number) {
  char *stop = memchr(at, '\n', end - at);
  if (stop == NULL) return NULL;
  assert(*at == first);
  *number = atoi(at + 1);
  return stop + 1;
}

/* Reads a request; returns its size, or 0 if it is not all there. */
static size_t parse(struct client *client, struct request *request) {
  char *end = client->buffer + client->length;
  char *at = number_line(client->buffer, end, '*', &request->count);
  if (at == NULL) return 0;
  assert(request->count <= WORDS_MAX);
  for (int i = 0; i < request->count; i++) {
    at = number_line(at, end, '$', &request->sizes[i]);
    if (at == NULL || end - at < request->sizes[i] + 2) return 0;
    request->words[i] = at;
    at += request->sizes[i] + 2;
  }
  return at - client->buffer;
}

static int is(const struct request *request, const char *command) {
  int size = strlen(command);
  return request->sizes[0] == size && memcmp(request->words[0], command, size) == 0;
}

static void answer(int fd, const struct request *request) {
  char text[64];
  int length;
  if (is(request, "INCR")) {
    char digits[DIGIT_BYTES];
    hits++;
    sprintf(digits, "%d", hits); // mark: digits
    length = sprintf(text, ":%s\r\n", digits);
  } else if (is(request, "SET")) {
    value_size = request->sizes[2];
    assert(value_size <= (int)sizeof value);
    memcpy(value, request->words[2], value_size);
    length = sprintf(text, "+OK\r\n");
  } else if (is(request, "GET")) {
    length = sprintf(text, "$%d\r\n%.*s\r\n", value_size, value_size, value);
  } else {
    length = sprintf(text, "-ERR unknown command\r\n");
  }
  write_all(fd, text, length);
}

/* Takes a request out of the buffer. */
static void forget(struct client *client, size_t size) {
#ifdef CARELESS
  assert(client->length == size); // mark: pipelined
#endif
  client->length -= size;
  memmove(client->buffer, client->buffer + size, client->length);
}

static void serve(int fd) {
  struct client client = {.fd = fd};
  for (;;) {
    ssize_t more = read(fd, client.buffer + client.length, BUFFER_BYTES - client.length);
    if (more <= 0) return;
    client.length += more;
    struct request request;
    size_t size;
    while (client.length > 0 && (size = parse(&client, &request)) > 0) {
      answer(fd, &request);
      forget(&client, size);
    }
  }
}

int main(void) {
  unsigned char before;
  klee_make_symbolic(&before, sizeof before, "before");
  klee_assume(before >= 6);
  klee_assume(before <= 8);
  for (int i = 6; i <= 8; i++)
    if (i == before) hits = i;
  int listener = listening(6379);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd);
    close(fd);
  }
}
