/* Character classes without branches: asking about a symbolic character does not fork. */
#include <ctype.h>

static int between(int c, unsigned first, unsigned last) {
  return (unsigned)c - first <= last - first;
}

int isdigit(int c) { return between(c, '0', '9'); }
int islower(int c) { return between(c, 'a', 'z'); }
int isupper(int c) { return between(c, 'A', 'Z'); }
int isalpha(int c) { return between(c | 32, 'a', 'z'); }
int isalnum(int c) { return isalpha(c) | isdigit(c); }
int isxdigit(int c) { return isdigit(c) | between(c | 32, 'a', 'f'); }
int isblank(int c) { return (c == ' ') | (c == '\t'); }
int isspace(int c) { return (c == ' ') | between(c, '\t', '\r'); }
int isgraph(int c) { return between(c, '!', '~'); }
int isprint(int c) { return between(c, ' ', '~'); }
int ispunct(int c) { return isgraph(c) & !isalnum(c); }
int iscntrl(int c) { return between(c, 0, 31) | (c == 127); }
int tolower(int c) { return c + isupper(c) * ('a' - 'A'); }
int toupper(int c) { return c - islower(c) * ('a' - 'A'); }
