/* A line of values between commas; a value in quotes may have commas, and quotes that are doubled. */
#include "input.h"

#ifndef SIZE
#define SIZE 6
#endif

/* Copies one value; the result points behind it, or is null where a quote is not closed. */
static const char *field(const char *text, char *value) {
  if (*text != '"') {
    size_t length = strcspn(text, ",");
    memcpy(value, text, length);
    value[length] = '\0';
    return text + length;
  }
  text++;
  for (;;) {
    const char *quote = strchr(text, '"');
    if (quote == NULL)
      return NULL;
    memcpy(value, text, quote - text);
    value += quote - text;
    if (quote[1] != '"') {
      *value = '\0';
      return quote + 1;
    }
    *value++ = '"';
    text = quote + 2;
  }
}

int main(void) {
  const char *text = symbolic_input(SIZE);
  int fields = 0, empty = 0, error = 0;
  size_t longest = 0;
  for (;;) {
    char value[16];
    text = field(text, value);
    if (text == NULL) {
      error = 1;
      break;
    }
    size_t length = strlen(value);
    fields++;
    empty += length == 0;
    if (length > longest)
      longest = length;
    if (*text == '\0')
      break;
    if (*text != ',') {
      error = 2;
      break;
    }
    text++;
  }
  printf("fields %d empty %d longest %d error %d\n", plain(fields), plain(empty), plain(longest),
         plain(error));
  return 0;
}
