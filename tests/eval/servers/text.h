/* Text with escapes: `\r`, `\n`, `\xNN` for any byte, `\?` for a symbolic one. */
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1024 };

struct text {
  unsigned char bytes[TEXT_SIZE];
  size_t length;
};

static int hex_digit(char digit) { return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10; }

static void decode(const char *from, struct text *text, const char *name) {
  unsigned char symbolic[TEXT_SIZE];
  size_t places[TEXT_SIZE], count = 0;
  for (; *from != 0 && text->length < TEXT_SIZE; from++) {
    unsigned char byte = (unsigned char)*from;
    if (byte == '\\') {
      switch (*++from) {
      case 'r':
        byte = '\r';
        break;
      case 'n':
        byte = '\n';
        break;
      case 'x':
        byte = (unsigned char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
        from += 2;
        break;
      case '?':
        places[count++] = text->length;
        break;
      }
    }
    text->bytes[text->length++] = byte;
  }
  if (count == 0)
    return;
  klee_make_symbolic(symbolic, count, name);
  for (size_t i = 0; i < count; i++)
    text->bytes[places[i]] = symbolic[i];
}
