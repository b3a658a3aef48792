/* Waits for children and for signals, and asks for all details. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int handled;

static void handle(int signal) { handled = signal; }

int main(void) {
  sigset_t set;
  siginfo_t details = {0};
  struct timespec second = {.tv_sec = 1};
  assert(signal(SIGUSR2, handle) != SIG_ERR);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    sleep(1);
    assert(kill(parent, SIGUSR2) == 0);
    sleep(1);
    assert(kill(parent, SIGUSR1) == 0);
    sleep(10);
    _exit(7);
  }
  assert(waitid(P_PID, child, &details, WEXITED | WNOHANG) == 0 && details.si_pid == 0);
  assert(sigwaitinfo(&set, &details) == SIGUSR1 && details.si_pid == child && handled == SIGUSR2);
  assert(sigtimedwait(&set, &details, &second) < 0 && errno == EAGAIN);
  assert(raise(SIGUSR1) == 0);
  assert(sigtimedwait(&set, &details, &second) == SIGUSR1 && details.si_signo == SIGUSR1);
  assert(waitid(P_ALL, 0, &details, WEXITED | WNOWAIT) == 0 && details.si_pid == child);
  assert(waitid(P_PID, child, &details, WEXITED) == 0 && details.si_code == CLD_EXITED);
  assert(waitid(P_PID, child, &details, WEXITED) < 0 && errno == ECHILD);
  assert(details.si_status != 7); // mark: guilty
  return 0;
}
