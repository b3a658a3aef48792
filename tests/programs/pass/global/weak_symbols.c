//@ native: yes
// A weak definition is used when there is no other; an undefined weak function has address zero.
#include <stdio.h>

__attribute__((weak)) int weak_value = 3;
__attribute__((weak)) int weak_function(void) { return weak_value; }
extern void missing(void) __attribute__((weak));
extern int missing_data __attribute__((weak));

int main(void) {
  printf("%d %d\n", weak_function(), missing != 0);
  if (missing)
    missing();
  printf("%d\n", &missing_data == 0);
  return 0;
}
