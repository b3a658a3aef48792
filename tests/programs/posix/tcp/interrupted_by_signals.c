// Signals end waits in accept and recv with EINTR, unless they are restarted.
#include "../socket/net.h"
#include <sys/time.h>

static volatile sig_atomic_t caught;
static int waker = -1;
static void handler(int number) {
  caught += number == SIGALRM;
  if (waker >= 0)
    send(waker, "x", 1, 0);
}

static void alarm_in(int milliseconds) {
  struct itimerval t = {{0, 0}, {0, milliseconds * 1000}};
  setitimer(ITIMER_REAL, &t, NULL);
}

int main(void) {
  int l = listener(1), pair[2];
  tcp_pair(pair);
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  char byte;
  alarm_in(50);
  SHOW(accept(l, NULL, NULL));
  alarm_in(50);
  SHOW(recv(pair[1], &byte, 1, 0));
  NUM(caught);
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  waker = pair[0];
  alarm_in(50);
  SHOW(recv(pair[1], &byte, 1, 0));
  NUM(caught);
  return 0;
}
