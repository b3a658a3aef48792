#include <assert.h>
#include <dlfcn.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char bytes[3];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  if (bytes[0] == 'q') return 0;
  void *library = dlopen("/opt/plugins/parser.so", RTLD_NOW);
  assert(library);
  int (*parse)(const unsigned char *, int) = (int (*)(const unsigned char *, int))dlsym(library, "parse");
  return parse(bytes, sizeof bytes) < 0;
}
