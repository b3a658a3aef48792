//@ native: yes
// strtod: decimal and hexadecimal, exact rounding, special values, overflow and underflow.
#include "../check.h"
#include <math.h>

static void parse(const char *text) {
  char *end;
  errno = 0;
  double v = strtod(text, &end);
  printf("\"%.40s\": %a, rest \"%s\"%s\n", text, v, end, errno == ERANGE ? ", ERANGE" : "");
}

int main(void) {
  parse("0"), parse("-0"), parse("1"), parse("  +1.5x"), parse("1e3"), parse("1e"), parse("1e+"), parse(".5"),
      parse("5.");
  parse("."), parse(""), parse("e5"), parse("-"), parse("0x1p-3"), parse("0x.8"), parse("0x"),
      parse("0x1.8p1z");
  parse("0.1"), parse("0.3"), parse("2.2250738585072014e-308");
  parse("1.7976931348623157e308"), parse("1.7976931348623159e308"), parse("1e400"), parse("-1e400"),
      parse("1e-400");
  parse("9007199254740993"), parse("9007199254740992.9999"),
      parse("0.500000000000000166533453693773481063544750213623046875");
  parse("inf"), parse("-INFINITY"), parse("infin"), parse("nanx");
  printf("%a %a\n", (double)strtof("0.1", 0), (double)strtof("16777217", 0));
  errno = 0;
  printf("%d ", isinf(strtof("1e39", 0)) != 0);
  puts(errno_name(errno));
  printf("%a\n", atof("2.5"));
  printf("%d\n", (int)(strtold("0.25", 0) * 4));
  return 0;
}
