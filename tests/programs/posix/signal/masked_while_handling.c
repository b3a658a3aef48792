// During a handler its own signal and sa_mask are blocked; what came is handled right after.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void put(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _exit(9);
}

static void second(int signal_) {
  (void)signal_;
  put("  second\n");
}

static void third(int signal_) {
  (void)signal_;
  put("  third\n");
}

static volatile sig_atomic_t again = 1;

static void first(int signal_) {
  sigset_t mask;
  put("first begins\n");
  sigprocmask(SIG_BLOCK, NULL, &mask);
  put(sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGUSR2) && !sigismember(&mask, SIGTERM)
          ? "masked\n"
          : "wrong\n");
  raise(SIGUSR2);
  raise(SIGTERM);
  if (again) {
    again = 0;
    raise(signal_);
  }
  put("first ends\n");
}

int main(void) {
  struct sigaction action = {.sa_handler = first};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, second);
  signal(SIGTERM, third);
  raise(SIGUSR1);
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  put(sigismember(&mask, SIGUSR1) || sigismember(&mask, SIGUSR2) ? "still masked\n" : "as before\n");
  return 0;
}
