/* Requests to Redis and its replies, in the protocol RESP. */
#ifndef RESP_H
#define RESP_H

#include "../../sockets.h"

enum { REPLY_BYTES = 256 };

/* Sends a request of words that are separated by one space. */
static inline void request(int fd, const char *words) {
  char message[256];
  int count = 1, length = 0;
  for (const char *at = words; *at; at++) count += *at == ' ';
  length += sprintf(message, "*%d\r\n", count);
  for (const char *word = words; count-- > 0;) {
    int size = strcspn(word, " ");
    length += sprintf(message + length, "$%d\r\n%.*s\r\n", size, size, word);
    word += size + 1;
  }
  write_all(fd, message, length);
}

/* Receives a line without its end. */
static inline void line(int fd, char *text, size_t size) {
  size_t length = 0;
  for (;;) {
    assert(length < size);
    assert(read(fd, text + length, 1) == 1);
    if (length > 0 && text[length - 1] == '\r' && text[length] == '\n') break;
    length++;
  }
  text[length - 1] = 0;
}

/* Receives a reply: the first byte says what it is, and the rest is a number or a text. The reply `_` is one
   that has no value. */
static inline void reply(int fd, char *text) {
  line(fd, text, REPLY_BYTES);
  if (text[0] != '$') return;
  int size = atoi(text + 1);
  if (size < 0) {
    strcpy(text, "_");
    return;
  }
  assert(size + 3 < REPLY_BYTES);
  assert(read_all(fd, text + 1, size + 2) == (size_t)size + 2);
  text[size + 1] = 0;
}

#endif
