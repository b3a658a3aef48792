// sigaction: old action told, SA_RESETHAND, SA_NODEFER, ignoring, default, and EINVAL.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t calls, depth, deepest;

static void handler(int signal_) {
  calls++;
  if (++depth > deepest)
    deepest = depth;
  if (calls < 3)
    raise(signal_);
  depth--;
}

static void other(int signal_) { (void)signal_; }

static const char *name(const struct sigaction *action) {
  void (*function)(int) = action->sa_handler;
  return function == SIG_DFL   ? "default"
         : function == SIG_IGN ? "ignore"
         : function == handler ? "handler"
                               : "other";
}

static void install(void (*function)(int), int flags) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags;
  sigaddset(&action.sa_mask, SIGUSR2);
  int result = sigaction(SIGUSR1, &action, &old);
  printf("install: %d, was %s%s%s\n", result, name(&old), old.sa_flags & SA_RESETHAND ? " resethand" : "",
         old.sa_flags & SA_NODEFER ? " nodefer" : "");
  calls = depth = deepest = 0;
}

static void show(const char *what) {
  struct sigaction now;
  sigaction(SIGUSR1, NULL, &now);
  printf("%s: calls %d, deepest %d, now %s, masks USR2 %d\n", what, (int)calls, (int)deepest, name(&now),
         sigismember(&now.sa_mask, SIGUSR2));
}

static void refuse(const char *what, int signal_) {
  struct sigaction action = {.sa_handler = handler};
  int result = sigaction(signal_, &action, NULL);
  printf("%s: %d %s\n", what, result, errno == EINVAL ? "EINVAL" : "other");
}

int main(void) {
  install(handler, 0);
  raise(SIGUSR1);
  show("deferred");
  install(handler, SA_NODEFER);
  raise(SIGUSR1);
  show("nested");
  install(SIG_IGN, 0);
  raise(SIGUSR1);
  show("ignored");
  install(handler, SA_RESETHAND);
  calls = 2;
  raise(SIGUSR1);
  show("once");
  printf("%d\n", signal(SIGUSR1, other) == SIG_DFL);
  printf("%d\n", signal(SIGUSR1, SIG_IGN) == other);
  refuse("kill", SIGKILL);
  refuse("stop", SIGSTOP);
  refuse("zero", 0);
  refuse("65", 65);
  printf("%d\n", signal(SIGKILL, SIG_IGN) == SIG_ERR);
  return 0;
}
