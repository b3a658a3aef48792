/* Opens its plugin again for each message, on many paths. */
#include <dlfcn.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char bytes[4];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int large = 0;
  for (unsigned i = 0; i < sizeof bytes; i++) {
    void *library = dlopen("/opt/plugins/handler.so", RTLD_NOW);
    if (!library) return 9;
    int (*handle)(const unsigned char *, int) = (int (*)(const unsigned char *, int))dlsym(library, "handle");
    if (bytes[i] > 'z') large++;
    handle(i == 3 ? bytes : (const unsigned char *)"ab", 2);
  }
  printf("%d\n", large);
  return 0;
}
