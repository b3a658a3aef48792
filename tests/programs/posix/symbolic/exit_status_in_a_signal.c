//@ native: no
//@ paths: 1
// The end of a child is told with the very code that it exits with: to a handler, to sigwaitinfo and by
// signalfd.
#include <assert.h>
#include <klee/klee.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int told = -1;

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  told = info->si_status;
}

static pid_t child_with(int code) {
  pid_t child = fork();
  if (child == 0)
    _exit(code);
  return child;
}

int main(void) {
  unsigned char code;
  klee_make_symbolic(&code, sizeof code, "code");
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGCHLD, &action, NULL) == 0);
  pid_t child = child_with(code);
  while (told < 0)
    pause();
  assert(told == code && wait(NULL) == child);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  siginfo_t info;
  child = child_with(code + 1);
  assert(sigwaitinfo(&set, &info) == SIGCHLD && info.si_pid == child);
  assert(info.si_status == (unsigned char)(code + 1) && wait(NULL) == child);

  int fd = signalfd(-1, &set, 0);
  struct signalfd_siginfo read_info;
  child = child_with(code ^ 3);
  assert(read(fd, &read_info, sizeof read_info) == sizeof read_info);
  assert(read_info.ssi_status == (code ^ 3) && wait(NULL) == child);
  return 0;
}
