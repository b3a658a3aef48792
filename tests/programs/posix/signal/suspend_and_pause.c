// sigsuspend waits with another mask and puts the old one back; pause waits for a handler.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught = signal_; }

static void say(const char *what, int result) {
  sigset_t mask;
  const char *error = errno == EINTR ? "EINTR" : "other";
  sigprocmask(SIG_BLOCK, NULL, &mask);
  printf("%s: %d %s, caught %d, USR1 blocked %d\n", what, result, error, (int)caught,
         sigismember(&mask, SIGUSR1));
  fflush(stdout);
  caught = 0;
}

int main(void) {
  sigset_t one, none;
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  raise(SIGUSR1);
  say("pending", sigsuspend(&none));
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    usleep(2000);
    kill(parent, SIGUSR1);
    _exit(0);
  }
  say("sent by a child", sigsuspend(&none));
  waitpid(child, NULL, 0);
  // The timer repeats, for the case that it rings before the wait begins.
  struct itimerval every = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  int result = pause();
  setitimer(ITIMER_REAL, &never, NULL);
  say("pause", result);
  return 0;
}
