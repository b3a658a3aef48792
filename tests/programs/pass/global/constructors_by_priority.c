//@ native: yes
// Constructors run before main in order of priority, destructors after it in reverse.
#include <stdio.h>

__attribute__((constructor)) static void plain(void) { puts("constructor"); }
__attribute__((constructor(200))) static void later(void) { puts("constructor 200"); }
__attribute__((constructor(101))) static void early(void) { puts("constructor 101"); }
__attribute__((destructor(101))) static void last(void) { puts("destructor 101"); }
__attribute__((destructor(200))) static void before(void) { puts("destructor 200"); }

int main(void) {
  puts("main");
  return 0;
}
