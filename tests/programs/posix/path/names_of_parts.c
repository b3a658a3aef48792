//@ native: yes
// dirname and basename split a path at its last slash.
#include "../check.h"
#include <libgen.h>

int main(void) {
  static const char *const paths[] = {"/usr/lib", "/usr/", "usr",    "/",  ".",
                                      "..",       "",      "a//b//", "/a", "a/b/c"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char one[32], two[32];
    strcpy(one, paths[i]), strcpy(two, paths[i]);
    printf("[%s] -> [%s] [%s]\n", paths[i], dirname(one), basename(two));
  }
  return 0;
}
