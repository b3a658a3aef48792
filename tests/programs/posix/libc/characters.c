//@ native: yes
// The classes of all 256 bytes in the C locale.
#include "../check.h"
#include <ctype.h>

int main(void) {
  for (int c = -1; c < 256; c++) {
    unsigned m = 0;
    m |= (isalpha(c) != 0) << 0 | (isdigit(c) != 0) << 1 | (isalnum(c) != 0) << 2 | (isspace(c) != 0) << 3;
    m |= (isupper(c) != 0) << 4 | (islower(c) != 0) << 5 | (ispunct(c) != 0) << 6 | (isprint(c) != 0) << 7;
    m |= (isgraph(c) != 0) << 8 | (iscntrl(c) != 0) << 9 | (isxdigit(c) != 0) << 10 | (isblank(c) != 0) << 11;
    printf("%x:%x%s", m, (unsigned)(toupper(c) + tolower(c)), c % 8 == 7 ? "\n" : " ");
  }
  return 0;
}
