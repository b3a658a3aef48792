//@ native: yes
// abort raises SIGABRT, whose handler runs first and may leave.
#include "../check.h"
#include <setjmp.h>
#include <signal.h>

static jmp_buf back;

static void leave(int signal) {
  printf("handler %d\n", signal == SIGABRT);
  longjmp(back, 1);
}

int main(void) {
  signal(SIGABRT, leave);
  if (setjmp(back) == 0)
    abort();
  puts("left");
  return 0;
}
