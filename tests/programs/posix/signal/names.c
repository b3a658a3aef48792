//@ native: yes
// strsignal names the common signals.
#include "../check.h"
#include <signal.h>

int main(void) {
  puts(strsignal(SIGINT));
  puts(strsignal(SIGKILL));
  puts(strsignal(SIGSEGV));
  puts(strsignal(SIGHUP));
  puts(strsignal(SIGALRM));
  IS(SIGRTMAX > SIGRTMIN);
  return 0;
}
