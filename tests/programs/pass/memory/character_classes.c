//@ native: yes
// The ctype functions agree with the host for every ASCII character.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  for (int c = 0; c < 128; c++) {
    int classes = !!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 |
                  !!islower(c) << 4 | !!ispunct(c) << 5 | !!isprint(c) << 6 | !!iscntrl(c) << 7 |
                  !!isxdigit(c) << 8 | !!isgraph(c) << 9 | !!isblank(c) << 10 | !!isalnum(c) << 11;
    printf("%x %d %d\n", (unsigned)classes, toupper(c), tolower(c));
  }
  return 0;
}
