//@ native: yes
// The C locale is there from the start; names that are not known are refused by newlocale as well.
#include "../check.h"
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>

int main(void) {
  puts(setlocale(LC_ALL, 0));
  struct lconv *l = localeconv();
  printf("[%s] [%s] [%s]\n", l->decimal_point, l->thousands_sep, l->currency_symbol);
  puts(nl_langinfo(RADIXCHAR));
  puts(nl_langinfo(DAY_1));
  puts(nl_langinfo(MON_12));
  IS(setlocale(LC_CTYPE, "C") != 0);
  IS(setlocale(LC_CTYPE, "C.UTF-8") != 0);
  puts(nl_langinfo(CODESET));
  printf("%.2f\n", 1.5);
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  IS(c != 0);
  NUM(toupper_l('a', c));
  locale_t old = uselocale(c);
  IS(old == LC_GLOBAL_LOCALE);
  IS(uselocale(0) == c);
  uselocale(old);
  freelocale(c);
  NUM(strcoll("a", "b") < 0);
  char out[8];
  NUM(strxfrm(out, "abc", 8));
  return 0;
}
