//@ native: yes
// strtol in several bases, with end pointers and clamping, and atoi.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

const char *const inputs[] = {"42", "  -17abc", "0x1F", "077", "zz", "+9", "99999999999999999999", "-99999999999999999999", "", "0x"};

int main(void) {
  for (int i = 0; i < 10; i++) {
    char *end;
    long ten = strtol(inputs[i], &end, 10);
    long at = end - inputs[i];
    long any = strtol(inputs[i], &end, 0);
    printf("%ld %ld %ld %ld %ld\n", ten, at, any, (long)(end - inputs[i]), strtol(inputs[i], 0, 36));
  }
  printf("%d %d %ld\n", atoi("123x"), atoi("-5"), labs(-7L) + abs(-8));
  return 0;
}
