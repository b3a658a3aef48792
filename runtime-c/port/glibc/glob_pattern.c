/* Has a text anything that glob(3) would not take as it stands? */
#include <stddef.h>

int glob_pattern_p(const char *text, int quotes) {
  int open = 0;
  for (; *text; text++)
    switch (*text) {
    case '?':
    case '*':
      return 1;
    case '[':
      open = 1;
      break;
    case ']':
      if (open)
        return 1;
      break;
    case '\\':
      if (quotes && text[1])
        text++;
    }
  return 0;
}
void aio_init(const void *settings) {}
