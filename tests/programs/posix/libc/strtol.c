//@ native: yes
// strtol and its kin: bases, signs, where they stop, overflow.
#include "../check.h"
#include <inttypes.h>
#include <limits.h>

static void parse(const char *text, int base) {
  char *end;
  errno = 0;
  long v = strtol(text, &end, base);
  printf("strtol \"%s\" %d: %ld, rest \"%s\", %s\n", text, base, v, end, errno == ERANGE ? "ERANGE" : "fine");
}

static void parse_unsigned(const char *text, int base) {
  char *end;
  errno = 0;
  unsigned long v = strtoul(text, &end, base);
  printf("strtoul \"%s\" %d: %lu, rest \"%s\", %s\n", text, base, v, end,
         errno == ERANGE ? "ERANGE" : "fine");
}

int main(void) {
  parse("123", 10), parse("  \t\n-42xyz", 10), parse("+7", 10), parse("", 10), parse("   ", 10),
      parse("abc", 10);
  parse("0x1F", 16), parse("0x1F", 0), parse("0x", 0), parse("0xg", 16), parse("017", 0), parse("08", 0),
      parse("0", 0);
  parse("zz", 36), parse("1012", 2), parse("- 5", 10), parse("--5", 10), parse("+-5", 10);
  parse("9223372036854775807", 10), parse("9223372036854775808", 10);
  parse("-9223372036854775808", 10), parse("-9223372036854775809", 10),
      parse("999999999999999999999999999x", 10);
  parse_unsigned("18446744073709551615", 10), parse_unsigned("18446744073709551616", 10),
      parse_unsigned("-1", 10);
  parse_unsigned("-18446744073709551616", 10);
  char *end;
  errno = 0;
  const char *text = "5";
  long v = strtol(text, &end, 99);
  printf("%ld %s\n", v, errno_name(errno));
  NUM(atoi(" 77x"));
  NUM(atol("-5"));
  NUM(strtoll("-9000000000", 0, 10));
  NUM(strtoimax("0777", 0, 8));
  return 0;
}
