/* Values of the protocol of Redis: `+text`, `-error`, `:number` and `$length` with as many bytes, each with
 * `\r\n` behind it. */
#include "input.h"

#ifndef SIZE
#define SIZE 7
#endif

struct reader {
  const char *at;
  const char *end;
  int error;
};

/* The rest of the line; its length is stored, and the reader goes behind it. */
static const char *line(struct reader *reader, size_t *length) {
  const char *start = reader->at;
  const char *cr = memchr(start, '\r', reader->end - start);
  if (cr == NULL || cr + 1 == reader->end || cr[1] != '\n') {
    reader->error = 1;
    return NULL;
  }
  *length = cr - start;
  reader->at = cr + 2;
  return start;
}

static int number(struct reader *reader) {
  size_t length;
  const char *text = line(reader, &length);
  if (text == NULL)
    return 0;
  if (length == 0 || length > 3) {
    reader->error = 2;
    return 0;
  }
  int value = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') {
      reader->error = 2;
      return 0;
    }
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

int main(void) {
  const char *input = symbolic_input(SIZE);
  struct reader reader = {input, input + SIZE, 0};
  int values = 0, class = 0;
  size_t text = 0;
  char held[16] = "";
  while (reader.at < reader.end && !reader.error) {
    char kind = *reader.at++;
    size_t length = 0;
    if (kind == '+' || kind == '-') {
      const char *start = line(&reader, &length);
      if (start != NULL) {
        memcpy(held, start, length);
        held[length] = '\0';
        text += strlen(held);
      }
    } else if (kind == ':') {
      int value = number(&reader);
      class = value > 99 ? 3 : value > 9 ? 2 : 1;
    } else if (kind == '$') {
      length = number(&reader);
      if (!reader.error && length + 2 > (size_t)(reader.end - reader.at))
        reader.error = 3;
      else if (!reader.error)
        reader.at += length + 2;
    } else {
      reader.error = 4;
    }
    values += !reader.error;
  }
  printf("values %d class %d text %d error %d\n", plain(values), plain(class), plain(text),
         plain(reader.error));
  return 0;
}
