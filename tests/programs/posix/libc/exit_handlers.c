//@ native: yes
// atexit handlers run backwards, also those added meanwhile; destructors after them; streams are flushed.
#include "../check.h"

static void first(void) { puts("first"); }
static void added(void) { puts("added"); }
static void second(void) {
  puts("second");
  atexit(added);
}

__attribute__((constructor)) static void before(void) { puts("before main"); }
__attribute__((destructor)) static void after(void) { printf("after everything"); }

int main(void) {
  NUM(atexit(first));
  NUM(atexit(second));
  puts("main ends");
  return 7;
}
