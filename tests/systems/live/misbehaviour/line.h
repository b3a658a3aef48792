/* Lines to a peer on port 7000, and its answers. */
#ifndef LINE_H
#define LINE_H

#include "../../sockets.h"

/* Receives up to the end of a line, which is left out; returns -1 if the peer ends before. */
static inline int receive_line(int fd, char *text, int size) {
  for (int length = 0; length < size; length++) {
    if (read(fd, text + length, 1) != 1) return -1;
    if (text[length] != '\n') continue;
    text[length] = 0;
    return length;
  }
  return -1;
}

/* Sends a line, and receives the one that the peer answers with. */
static inline int ask(int fd, const char *question, char *text, int size) {
  write_all(fd, question, strlen(question));
  return receive_line(fd, text, size);
}

#endif
