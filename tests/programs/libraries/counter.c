/* A plugin with state of its own, with callbacks into the program that opens it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int host_add(int, int);
extern int host_value;
extern int not_there(void) __attribute__((weak));
extern int not_there_either __attribute__((weak));

static int count;
int shared = 7;
__thread int of_thread = 11;
static __thread char own_of_thread[4] = "abc";
const char *const names[] = {"one", "two"};
static int (*const callback)(int, int) = host_add;
static int *const place = &host_value;

static int helper(int n) { return n + 100; }
/* Programs may have a function of this name, which is called in its place. */
__attribute__((noinline)) int add(int n) { return count += n; }
int add_both(int n) { return host_add(add(n), helper(shared)) + callback(1, 2) + *place; }
int next_of_thread(void) { return ++of_thread + own_of_thread[1]; }
int missing(void) { return (not_there ? 1 : 0) + (&not_there_either ? 2 : 0); }
int sum(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int total = 0;
  while (n--) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}
char *text(const char *name) {
  char *made = malloc(strlen(name) + 20);
  sprintf(made, "<%s:%d>", name, host_value);
  return made;
}
void set_errno(void) { errno = ENOTTY; }
int choose(int n) {
  switch (n) {
    case 1: return 10;
    case 2: return 21;
    case 3: return 33;
    case 4: return 47;
    default: return -1;
  }
}
int jump(int n) {
  static void *const targets[] = {&&first, &&second};
  goto *targets[n];
first:
  return 1;
second:
  return 2;
}

__attribute__((constructor(300))) static void second(void) { printf("counter begins again\n"); }
__attribute__((constructor(200))) static void first(void) { printf("counter begins\n"); }
__attribute__((destructor)) static void end(void) { printf("counter ends at %d\n", count); }
