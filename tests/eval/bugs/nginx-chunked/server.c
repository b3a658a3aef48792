/* The part of a web server that throws the body of a request away: nobody wants it, but the next request comes behind
 * it. A body in chunks is a size in hexadecimal digits, an end of line, as many bytes, an end of line, and so on until
 * a size of 0. What is left of a chunk is read into a buffer on the stack, piece by piece. Sizes have 32 bits, as on a
 * machine whose files are no larger. */
#include <stdint.h>
#include <strings.h>

#include "../../../systems/sockets.h"

enum { LINE_MAX = 64, DISCARD_SIZE = 32 };
enum progress { AGAIN, DONE, INVALID };

/* The parser of chunks: where it is, the size that it has read so far, and how much is to be skipped. */
struct chunked {
  enum { SIZE, SIZE_END, DATA, DATA_CR, DATA_LF } state;
  int digits, is_last;
  int32_t size;
};

/* The value of each hexadecimal digit plus one; 0 for all other characters. */
static const unsigned char digit_values[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Takes one byte that is not data. */
static enum progress parse_chunked(struct chunked *chunked, unsigned char byte) {
  switch (chunked->state) {
  case SIZE:
    if (digit_values[byte] != 0) {
      if (chunked->digits++ == 8) return INVALID;
      chunked->size = (int32_t)((uint32_t)chunked->size * 16 + digit_values[byte] - 1);
      return AGAIN;
    }
    if (byte != '\r' || chunked->digits == 0) return INVALID;
    chunked->state = SIZE_END;
    return AGAIN;
  case SIZE_END:
    if (byte != '\n') return INVALID;
#ifdef REPAIRED
    if (chunked->size < 0) return INVALID;
#endif
    chunked->is_last = chunked->size == 0;
    chunked->state = chunked->is_last ? DATA_CR : DATA;
    return AGAIN;
  case DATA_CR:
    if (byte != '\r') return INVALID;
    chunked->state = DATA_LF;
    return AGAIN;
  case DATA_LF:
    if (byte != '\n') return INVALID;
    if (chunked->is_last) return DONE;
    *chunked = (struct chunked){.state = SIZE};
    return AGAIN;
  case DATA:
    break;
  }
  return INVALID;
}

/* Skips what is left of a chunk, as far as it has come. Returns 0 at the end of the connection. */
static int discard_data(int fd, struct chunked *chunked) {
  char buffer[DISCARD_SIZE];
  uint32_t size = chunked->size < DISCARD_SIZE ? chunked->size : DISCARD_SIZE;
  ssize_t got = recv(fd, buffer, size, 0);
  if (got <= 0) return 0;
  chunked->size -= got;
  if (chunked->size == 0) chunked->state = DATA_CR;
  return 1;
}

/* Returns whether the whole body was read. */
static int discard_body(int fd) {
  struct chunked chunked = {.state = SIZE};
  for (;;) {
    if (chunked.state == DATA) {
      if (!discard_data(fd, &chunked)) return 0;
      continue;
    }
    unsigned char byte;
    if (recv(fd, &byte, 1, 0) != 1) return 0;
    enum progress progress = parse_chunked(&chunked, byte);
    if (progress != AGAIN) return progress == DONE;
  }
}

/* Reads a line without its end. Returns 0 if there is none. */
static int read_line(int fd, char *line) {
  for (int length = 0; length < LINE_MAX; length++) {
    if (recv(fd, &line[length], 1, 0) != 1) return 0;
    if (line[length] == '\n') {
      line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = 0;
      return 1;
    }
  }
  return 0;
}

static void serve(int fd) {
  char line[LINE_MAX];
  while (read_line(fd, line)) {
    int is_chunked = 0;
    if (strncmp(line, "POST ", 5) != 0 && strncmp(line, "GET ", 4) != 0) return;
    while (read_line(fd, line) && line[0] != 0)
      if (strcasecmp(line, "transfer-encoding: chunked") == 0) is_chunked = 1;
    if (is_chunked && !discard_body(fd)) {
      write_all(fd, "HTTP/1.1 400 \r\n\r\n", 17);
      return;
    }
    write_all(fd, "HTTP/1.1 404 \r\n\r\n", 17);
  }
}

int main(void) {
  int listener = listening(8080);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    serve(fd);
    close(fd);
  }
}
