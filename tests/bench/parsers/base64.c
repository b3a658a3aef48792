/* Text in base 64, with padding and with white space that is skipped. */
#include "input.h"

#ifndef SIZE
#define SIZE 5
#endif

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct decoder {
  unsigned bits;
  int count;
  int padding;
  int error;
  size_t length;
  unsigned char bytes[16];
};

static void digit(struct decoder *decoder, char c) {
  if (c == '=') {
    if (decoder->count < 2)
      decoder->error = 1;
    decoder->padding++;
    return;
  }
  const char *place = memchr(alphabet, c, 64);
  if (place == NULL || decoder->padding > 0) {
    decoder->error = 2;
    return;
  }
  decoder->bits = decoder->bits << 6 | (unsigned)(place - alphabet);
  if (++decoder->count == 4) {
    for (int shift = 16; shift >= 0; shift -= 8)
      decoder->bytes[decoder->length++] = decoder->bits >> shift;
    decoder->count = 0;
    decoder->bits = 0;
  }
}

int main(void) {
  const char *text = symbolic_input(SIZE);
  struct decoder decoder = {0, 0, 0, 0, 0, {0}};
  int skipped = 0;
  while (*text != '\0' && !decoder.error) {
    size_t space = strspn(text, " \n");
    if (space > 0) {
      skipped += space;
      text += space;
      continue;
    }
    digit(&decoder, *text++);
  }
  int class = 0;
  if (decoder.length == 3)
    class = memcmp(decoder.bytes, "abc", 3) == 0 ? 1 : decoder.bytes[0] > 0x7f ? 2 : 3;
  printf("bytes %d rest %d padding %d skipped %d class %d error %d\n", plain(decoder.length),
         plain(decoder.count), plain(decoder.padding), plain(skipped), plain(class), plain(decoder.error));
  return 0;
}
