/* Comparisons of texts: SSE4.2's pcmpestri, pcmpestrm, pcmpistri, pcmpistrm, and their flags. */
#include "vectors.h"

enum { WORDS = 1, SIGNED = 2, RANGES = 4, EACH_ONE = 8, ORDERED = 12, KINDS = 12, NEGATIVE = 16, MASKED = 32, LAST = 64 };

struct text {
  int16_t items[16];
  int length;
};

static int count(int kind) { return kind & WORDS ? 8 : 16; }

/* `length` is negative for a text that ends with a zero. */
static struct text split(V16 vector, int has_length, int length, int kind) {
  struct text text;
  V8 words = (V8)vector;
  for (int i = 0; i < count(kind); i++)
    text.items[i] = kind & WORDS ? words[i] : kind & SIGNED ? vector[i] : (uint8_t)vector[i];
  int n = count(kind);
  if (has_length)
    text.length = length < 0 ? (length < -n ? n : -length) : length > n ? n : length;
  else {
    text.length = n;
    for (int i = n - 1; i >= 0; i--)
      text.length = text.items[i] == 0 ? i : text.length;
  }
  return text;
}

static int below(int16_t a, int16_t b, int kind) {
  return kind & SIGNED ? a <= b : (uint16_t)a <= (uint16_t)b;
}

static unsigned bits(const struct text *a, const struct text *b, int kind) {
  int n = count(kind);
  unsigned result = 0;
  for (int j = 0; j < n; j++) {
    unsigned in_b = j < b->length, bit = 0;
    switch (kind & KINDS) {
    case 0:
      for (int i = 0; i < n; i++)
        bit |= (i < a->length) & in_b & (a->items[i] == b->items[j]);
      break;
    case RANGES:
      for (int i = 0; i + 1 < n; i += 2)
        bit |= (i + 1 < a->length) & in_b & below(a->items[i], b->items[j], kind) &
               below(b->items[j], a->items[i + 1], kind);
      break;
    case EACH_ONE: {
      unsigned in_a = j < a->length;
      bit = (in_a & in_b & (a->items[j] == b->items[j])) | (!in_a & !in_b);
      break;
    }
    default:
      bit = 1;
      for (int i = 0; i + j < n; i++) {
        unsigned in_a = i < a->length, there = i + j < b->length;
        bit &= !in_a | (there & (a->items[i] == b->items[i + j]));
      }
    }
    result |= bit << j;
  }
  if (kind & NEGATIVE)
    for (int j = 0; j < n; j++)
      result ^= (!(kind & MASKED) | (j < b->length)) << j;
  return result;
}

static int place(unsigned found, int kind) {
  int n = count(kind), at = n;
  for (int i = 0; i < n; i++) {
    int from = kind & LAST ? i : n - 1 - i;
    at = found >> from & 1 ? from : at;
  }
  return at;
}
static V16 mask(unsigned found, int kind) {
  if (!(kind & LAST))
    return (V16)(U2){found, 0};
  U16 bytes = {0};
  U8 words = {0};
  EACH(i, 16) bytes[i] = -(found >> i & 1);
  EACH(i, 8) words[i] = -(found >> i & 1);
  return kind & WORDS ? (V16)words : (V16)bytes;
}

#define EXPLICIT(name, type, expression)                                                  \
  type X86(sse42_pcmpestr##name)(V16 x, int m, V16 y, int n, char given) {                \
    int kind = (unsigned char)given;                                                      \
    struct text a = split(x, 1, m, kind), b = split(y, 1, n, kind);                       \
    unsigned found = bits(&a, &b, kind);                                                  \
    (void)found;                                                                          \
    return expression;                                                                    \
  }
#define IMPLICIT(name, type, expression)                                                  \
  type X86(sse42_pcmpistr##name)(V16 x, V16 y, char given) {                              \
    int kind = (unsigned char)given;                                                      \
    struct text a = split(x, 0, 0, kind), b = split(y, 0, 0, kind);                       \
    unsigned found = bits(&a, &b, kind);                                                  \
    (void)found;                                                                          \
    return expression;                                                                    \
  }
#define BOTH(name, type, expression) EXPLICIT(name, type, expression) IMPLICIT(name, type, expression)
BOTH(i128, int, place(found, kind))
BOTH(m128, V16, mask(found, kind))
BOTH(ia128, int, found == 0 && b.length == count(kind))
BOTH(ic128, int, found != 0)
BOTH(io128, int, found & 1)
BOTH(is128, int, a.length < count(kind))
BOTH(iz128, int, b.length < count(kind))
