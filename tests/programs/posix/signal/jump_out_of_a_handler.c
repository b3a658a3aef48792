// siglongjmp leaves a handler and restores the mask that sigsetjmp saved, if it saved one.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf place;
static volatile int rounds;

static void handler(int signal_) { siglongjmp(place, signal_); }

static int blocked(void) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  return sigismember(&mask, SIGUSR1);
}

int main(void) {
  signal(SIGUSR1, handler);
  int value = sigsetjmp(place, 1);
  printf("%d blocked %d\n", value, blocked());
  if (rounds++ < 3)
    raise(SIGUSR1);
  rounds = 0;
  value = sigsetjmp(place, 0);
  printf("%d blocked %d\n", value, blocked());
  if (rounds++ < 1)
    raise(SIGUSR1);
  return 0;
}
