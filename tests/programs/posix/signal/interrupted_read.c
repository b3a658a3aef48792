// A handler interrupts a blocked read with EINTR; with SA_RESTART the read goes on.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static volatile sig_atomic_t ticks, write_at;

static void handler(int signal_) {
  (void)signal_;
  if (++ticks == write_at && write(ends[1], "x", 1) != 1)
    _exit(1);
}

static void try(const char *what, int flags, int at) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  // The timer repeats, for the case that it rings before the wait begins.
  struct itimerval every = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
  char byte;
  sigaction(SIGALRM, &action, NULL);
  ticks = 0;
  write_at = at;
  setitimer(ITIMER_REAL, &every, NULL);
  ssize_t got = read(ends[0], &byte, 1);
  int error = errno;
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%s: %zd %s, enough ticks %d\n", what, got, got < 0 && error == EINTR ? "EINTR" : "",
         at ? ticks >= at : ticks >= 1);
}

int main(void) {
  if (pipe(ends))
    return 1;
  try("plain", 0, 0);
  try("restarted", SA_RESTART, 3);
  try("plain again", 0, 0);
  signal(SIGALRM, SIG_IGN);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++) {
      usleep(1000);
      kill(getppid(), SIGALRM);
    }
    _exit(write(ends[1], "y", 1) == 1 ? 0 : 1);
  }
  char byte;
  ssize_t got = read(ends[0], &byte, 1);
  printf("ignored ones do not interrupt: %zd\n", got);
  waitpid(child, NULL, 0);
  return 0;
}
