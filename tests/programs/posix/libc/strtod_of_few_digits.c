// strtod, strtof and strtold of numbers with few digits, which are one quotient or product: against the native
// functions, bit by bit, up to and beyond the digits and powers that are exact.
#include "../check.h"
#include <stdint.h>

static uint64_t seed = 1;

static unsigned below(unsigned count) {
  seed = 6364136223846793005u * seed + 1442695040888963407u;
  return (unsigned)(seed >> 33) % count;
}

int main(void) {
  uint64_t mixed = 0;
  for (int round = 0; round < 400; round++) {
    char text[64];
    int length = 0, digits = 1 + below(18), point = below(20);
    if (below(3) == 0)
      text[length++] = "+-"[below(2)];
    for (int i = 0; i < digits; i++) {
      if (i == point)
        text[length++] = '.';
      text[length++] = '0' + below(10);
    }
    if (below(2))
      length += sprintf(text + length, "e%d", (int)below(64) - 32);
    text[length++] = " xe."[below(4)];
    text[length] = 0;
    char *ends[3];
    double d = strtod(text, &ends[0]);
    float f = strtof(text, &ends[1]);
    long double l = strtold(text, &ends[2]);
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    mixed = mixed * 31 + bits;
    uint32_t narrow;
    memcpy(&narrow, &f, sizeof narrow);
    mixed = mixed * 31 + narrow;
    memcpy(&bits, &l, sizeof bits);
    mixed = mixed * 31 + bits;
    for (int i = 0; i < 3; i++)
      mixed = mixed * 31 + (ends[i] - text);
    if (round % 40 == 0)
      printf("%s: %a %a %.21Lg, %016llx\n", text, d, (double)f, l, (unsigned long long)mixed);
  }
  printf("%016llx\n", (unsigned long long)mixed);
  return 0;
}
