/* Answers of a web server: the status, and headers by name. */
#ifndef HTTP_H
#define HTTP_H

#include <ctype.h>
#include <strings.h>

#include "../../sockets.h"

enum { HEAD_BYTES = 1024 };

struct answer {
  char head[HEAD_BYTES];
  int status;
};

/* Receives an answer up to the empty line behind its headers. */
static inline void receive_head(int fd, struct answer *answer) {
  size_t length = 0;
  do {
    assert(length < HEAD_BYTES - 1);
    assert(read(fd, answer->head + length, 1) == 1);
    answer->head[++length] = 0;
  } while (length < 4 || strcmp(answer->head + length - 4, "\r\n\r\n") != 0);
  assert(sscanf(answer->head, "HTTP/1.1 %d", &answer->status) == 1);
}

/* The value of a header, or NULL if there is none of this name. It ends at the end of its line. */
static inline const char *header(const struct answer *answer, const char *name) {
  size_t length = strlen(name);
  const char *line = answer->head;
  while ((line = strstr(line, "\r\n")) != NULL) {
    line += 2;
    if (strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
    const char *value = line + length + 1;
    while (*value == ' ') value++;
    return value;
  }
  return NULL;
}

#endif
