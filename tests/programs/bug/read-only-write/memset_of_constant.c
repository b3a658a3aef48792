// memset over a constant global.
#include <string.h>

const char name[8] = "const";
char *volatile p = (char *)name;

int main(void) {
  memset(p, 0, 4); // expect: bug read-only-write
  return name[0];
}
