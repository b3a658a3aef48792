//@ opt: O0
//@ paths: 3
// A lookup that returns null for unknown keys, used without a check.
#include <klee/klee.h>

struct entry { int key, value; };
struct entry table[3] = {{10, 1}, {20, 2}, {30, 3}};

static struct entry *find(int key) {
  for (int i = 0; i < 3; i++)
    if (table[i].key == key)
      return &table[i];
  return 0;
}

int main(void) {
  return find(klee_int("key"))->value; // expect: bug null-pointer
}
