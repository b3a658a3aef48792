/* Opens a plugin by its path, and a library by its name. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program_value = 100;
static int (*handler)(int);

void registered(const char *name, int (*function)(int)) {
  printf("%s has registered\n", name);
  handler = function;
}

int main(int argc, char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s/plugin.so", argv[1]);
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    printf("%s\n", dlerror());
    return 1;
  }
  printf("%d %d\n", handler(1), handler(2));
  void *needed = dlopen("libneeded.so", RTLD_LAZY);
  if (!needed) {
    printf("%s\n", dlerror());
    return 1;
  }
  int (*value)(int) = (int (*)(int))dlsym(needed, "needed_value");
  printf("%d\n", value(3));
  printf("%d\n", dlsym(plugin, "needed_value") == (void *)value);
  printf("%d\n", dlsym(RTLD_DEFAULT, "needed_value") == NULL);
  int (*next)(void) = (int (*)(void))dlsym(plugin, "plugin_next");
  printf("%d\n", next());
  void (*needed_register)(void) = (void (*)(void))dlsym(needed, "needed_register");
  needed_register();
  if (!dlopen("libnowhere.so", RTLD_NOW)) printf("%s\n", dlerror());
  if (!dlsym(plugin, "nowhere")) printf("%s\n", dlerror());
  printf("%d\n", dlopen("libc.so", RTLD_NOW) != NULL);
  printf("%d %d\n", dlclose(needed), dlclose(plugin));
  printf("%d\n", handler(4));
  return 0;
}
