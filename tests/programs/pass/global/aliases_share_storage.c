//@ native: yes
// An alias of a variable and of a function is the same object under another name.
#include <stdio.h>

int original = 5;
extern int other_name __attribute__((alias("original")));

int function(void) { return original * 2; }
int function_alias(void) __attribute__((alias("function")));

int main(void) {
  other_name += 10;
  printf("%d %d %d\n", original, function_alias(), &original == &other_name);
  return 0;
}
