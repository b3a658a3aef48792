//@ library: counter.c
//@ library: other.c
//@ paths: 4
/* Paths open plugins in different orders, and give them symbolic data. */
#include <assert.h>
#include <dlfcn.h>
#include <klee/klee.h>
#include <stdio.h>

int host_value = 1;
int host_add(int a, int b) { return a + b; }

static int (*function(void *library, const char *name))(int) { return (int (*)(int))dlsym(library, name); }

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  unsigned char bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  void *first = dlopen(bytes[0] < 100 ? LIBRARY_counter : LIBRARY_other, RTLD_NOW);
  void *second = dlopen(bytes[0] < 100 ? LIBRARY_other : LIBRARY_counter, RTLD_NOW);
  assert(first && second && first != second);
  void *counter = bytes[0] < 100 ? first : second;
  int chosen = function(counter, "choose")(bytes[1]);
  printf("%d %d\n", function(first, "add")(1), function(second, "add")(2));
  return chosen + 1;
}
