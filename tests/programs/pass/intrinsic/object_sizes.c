//@ native: yes
//@ opt: O2
// __builtin_object_size of known objects, and its answers for unknown ones.
#include <stdio.h>

struct s { char head[8]; char tail[24]; } object;

__attribute__((noinline)) long unknown(char *p) { return (long)__builtin_object_size(p, 0); }

int main(void) {
  char local[10];
  local[0] = 1;
  printf("%zu %zu %zu ", __builtin_object_size(local, 0), __builtin_object_size(&object.tail[4], 0),
         __builtin_object_size(object.head, 1));
  printf("%ld %d\n", unknown(local), local[0]);
  return 0;
}
