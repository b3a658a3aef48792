//@ library: counter.c
//@ paths: 1
/* A plugin is opened, and its functions and variables are found by name. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int host_value = 42;
int host_add(int a, int b) { return a + b; }
/* The plugin's own comes after it, for the plugin, too. */
int add(int n) { return n * 1000; }

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  assert(dlerror() == NULL);
  void *library = dlopen(LIBRARY_counter, RTLD_NOW);
  assert(library && dlerror() == NULL);
  assert(dlopen(LIBRARY_counter, RTLD_LAZY) == library);

  int (*plugin_add)(int) = (int (*)(int))dlsym(library, "add");
  assert(plugin_add && plugin_add != add);
  printf("%d %d\n", plugin_add(5), plugin_add(6));
  int (*add_both)(int) = (int (*)(int))dlsym(library, "add_both");
  printf("%d\n", add_both(1));
  int *shared = dlsym(library, "shared");
  *shared = 50;
  host_value = 43;
  printf("%d\n", add_both(2));
  int (*missing)(void) = (int (*)(void))dlsym(library, "missing");
  printf("%d\n", missing());
  int (*sum)(int, ...) = (int (*)(int, ...))dlsym(library, "sum");
  printf("%d\n", sum(3, 10, 20, 30));
  char *(*text)(const char *) = (char *(*)(const char *))dlsym(library, "text");
  char *made = text("name");
  puts(made);
  free(made);
  const char *const *names = dlsym(library, "names");
  puts(names[1]);
  void (*set_errno)(void) = (void (*)(void))dlsym(library, "set_errno");
  errno = 0;
  set_errno();
  assert(errno == ENOTTY);
  int (*choose)(int) = (int (*)(int))dlsym(library, "choose");
  int (*jump)(int) = (int (*)(int))dlsym(library, "jump");
  printf("%d %d %d %d\n", choose(2), choose(9), jump(0), jump(1));

  assert(dlsym(library, "helper") == NULL);
  char *error = dlerror();
  assert(error && strstr(error, "helper"));
  assert(dlerror() == NULL);
  assert(dlsym(library, "printf") != NULL);
  assert(dlsym(RTLD_DEFAULT, "add") == (void *)add);
  assert(dlsym(RTLD_DEFAULT, "text") == NULL);
  assert(dlsym(dlopen(NULL, RTLD_NOW), "host_value") == &host_value);
  assert(dlsym(dlopen(NULL, RTLD_NOW), "strtol") == (void *)strtol);

  Dl_info info;
  assert(dladdr((void *)add_both, &info));
  assert(!strcmp(info.dli_sname, "add_both") && info.dli_saddr == (void *)add_both);
  assert(!strcmp(info.dli_fname, LIBRARY_counter));
  assert(dladdr(shared, &info) && !strcmp(info.dli_sname, "shared"));
  int on_stack;
  assert(!dladdr(&on_stack, &info));

  assert(dlopen("/nowhere/library.so", RTLD_NOW) == NULL);
  error = dlerror();
  assert(error && strstr(error, "/nowhere/library.so") && strstr(error, "No such file"));
  assert(dlopen("library_without_a_folder.so", RTLD_NOW) == NULL && dlerror());
  assert(dlclose(library) == 0);
  printf("%d\n", plugin_add(0));
  return 0;
}
