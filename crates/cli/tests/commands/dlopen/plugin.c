/* A plugin that needs another library, which needs the program. */
#include <dlfcn.h>
#include <stdio.h>

extern int needed_value(int);
extern void registered(const char *name, int (*handler)(int));

static int handle(int n) { return needed_value(n) * 2; }
int plugin_next(void) { return dlsym(RTLD_NEXT, "plugin_next") != NULL; }

__attribute__((constructor)) static void begin(void) {
  printf("plugin begins\n");
  registered("plugin", handle);
}
__attribute__((destructor)) static void end(void) { printf("plugin ends\n"); }
