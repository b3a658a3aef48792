//@ library: counter.c
//@ library: other.c
//@ library: user.c
//@ paths: 1
/* Two plugins have functions of the same names. What one of them shows to all is found by the next. */
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int host_value = 1;
int host_add(int a, int b) { return a + b; }

int main(void) {
  void *counter = dlopen(LIBRARY_counter, RTLD_NOW | RTLD_LOCAL);
  void *early = dlopen(LIBRARY_user, RTLD_NOW);
  assert(counter && !early);
  char *error = dlerror();
  assert(error && strstr(error, "only_other"));
  assert(dlopen(LIBRARY_other, RTLD_NOW | RTLD_NOLOAD) == NULL);
  void *other = dlopen(LIBRARY_other, RTLD_NOW | RTLD_LOCAL);
  assert(other && other != counter);
  int (*first)(int) = (int (*)(int))dlsym(counter, "add");
  int (*second)(int) = (int (*)(int))dlsym(other, "add");
  assert(first != second);
  printf("%d %d %d %d\n", first(1), second(1), first(2), second(2));
  assert(dlsym(counter, "shared") != dlsym(other, "shared"));
  int (*only)(void) = (int (*)(void))dlsym(other, "only_other");
  printf("%d\n", only());
  assert(dlsym(RTLD_DEFAULT, "only_other") == NULL);
  assert(dlopen(LIBRARY_other, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == other);
  assert(dlsym(RTLD_DEFAULT, "only_other") == (void *)only);
  void *user = dlopen(LIBRARY_user, RTLD_NOW);
  int (*use)(void) = (int (*)(void))dlsym(user, "use");
  printf("%d\n", use());
  return 0;
}
