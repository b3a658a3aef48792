//@ native: yes
// div, abs, a64l and getsubopt.
#include "../check.h"

int main(void) {
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(1000000007L, 1000L);
  lldiv_t ll = lldiv(-9LL, -4LL);
  printf("%d %d, %ld %ld, %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
  volatile int minus = -5;
  NUM(abs(minus) + labs(minus) + llabs(minus));
  NUM(a64l("z1"));
  puts(l64a(12345));
  char options[] = "ro,size=10,other", *rest = options, *value;
  char *const tokens[] = {"ro", "size", 0};
  while (*rest) {
    int i = getsubopt(&rest, tokens, &value);
    printf("%d %s\n", i, i >= 0 && value ? value : "-");
  }
  return 0;
}
