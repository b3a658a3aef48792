//@ native: yes
// Masks that are words, and handlers for one signal.
#include "../check.h"
#include <signal.h>
#ifndef __GLIBC__
int sigblock(int);
int sigsetmask(int);
int siggetmask(void);
void (*ssignal(int, void (*)(int)))(int);
int gsignal(int);
void (*sysv_signal(int, void (*)(int)))(int);
#endif
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static volatile int seen;
static void note(int number) { seen = seen * 100 + number; }

int main(void) {
  int usr1 = 1 << (SIGUSR1 - 1), usr2 = 1 << (SIGUSR2 - 1);
  NUM(sigblock(usr1));
  NUM(sigblock(usr2) == usr1);
  IS(siggetmask() == (usr1 | usr2));
  signal(SIGUSR1, note);
  raise(SIGUSR1);
  NUM(seen);
  IS(sigsetmask(0) == (usr1 | usr2));
  NUM(seen);
  IS(ssignal(SIGUSR2, note) == SIG_DFL);
  SHOW(gsignal(SIGUSR2));
  NUM(seen);
  IS(sysv_signal(SIGHUP, note) == SIG_DFL);
  raise(SIGHUP);
  NUM(seen);
  IS(signal(SIGHUP, SIG_IGN) == SIG_DFL);
  return 0;
}
