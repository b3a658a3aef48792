//@ native: yes
// scanf takes numbers, words, sets, counts and literals, and stops at the first that does not fit.
#include "../check.h"

int main(void) {
  int r, a = -1, b = -1, c = -1, n = -1;
  unsigned u = 0;
  long l = 0;
  long long ll = 0;
  short h = 0;
  signed char hh = 0;
  double d = 0;
  float f = 0;
  char w[16] = "", s[16] = "", ch = 0;
  r = sscanf("12 -34", "%d%d", &a, &b);
  printf("%d: %d %d\n", r, a, b);
  r = sscanf("0x1f 010 9", "%i %i %i", &a, &b, &c);
  printf("%d: %d %d %d\n", r, a, b, c);
  r = sscanf("ff 777", "%x %o", &u, &a);
  printf("%d: %x %o\n", r, u, a);
  r = sscanf("1 2 3 4", "%ld%lld%hd%hhd", &l, &ll, &h, &hh);
  printf("%d: %ld %lld %d %d\n", r, l, ll, h, hh);
  r = sscanf("1.5e2 -0x1p3", "%lf %f", &d, &f);
  printf("%d: %g %g\n", r, d, f);
  r = sscanf("  word another", "%s %4s", w, s);
  printf("%d: [%s] [%s]\n", r, w, s);
  r = sscanf("abc123", "%[a-z]%[^a-z]", w, s);
  printf("%d: [%s] [%s]\n", r, w, s);
  r = sscanf(" x", "%c", &ch);
  printf("%d: [%c]\n", r, ch);
  r = sscanf(" x", " %c", &ch);
  printf("%d: [%c]\n", r, ch);
  r = sscanf("10:20", "%d:%d%n", &a, &b, &n);
  printf("%d: %d %d\n", r, a, n);
  r = sscanf("10 20", "%*d %d", &a);
  printf("%d: %d\n", r, a);
  r = sscanf("abc", "%d", &a);
  printf("%d\n", r);
  r = sscanf("", "%d", &a);
  printf("%d\n", r);
  r = sscanf("   ", "%s", w);
  printf("%d\n", r);
  r = sscanf("5 x", "%d %d", &a, &b);
  printf("%d: %d\n", r, a);
  r = sscanf("50%", "%d%%", &a);
  printf("%d: %d\n", r, a);
  r = sscanf("12345", "%2d%2d", &a, &b);
  printf("%d: %d %d\n", r, a, b);
  char *made = 0;
  r = sscanf("allocated text", "%ms", &made);
  printf("%d: ", r);
  puts(made);
  free(made);
  put("file", "7 8\nnine");
  FILE *file = fopen("file", "r");
  r = fscanf(file, "%d%d", &a, &b);
  printf("%d: %d %d\n", r, a, b);
  r = fscanf(file, "%d", &a);
  printf("%d\n", r);
  r = fscanf(file, "%s", w);
  printf("%d: %s\n", r, w);
  r = fscanf(file, "%s", w);
  printf("%d\n", r);
  return fclose(file);
}
