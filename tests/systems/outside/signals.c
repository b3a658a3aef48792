/* Signals interrupt waits, or do not; handlers write into a pipe. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static int pipes[2];
static volatile sig_atomic_t seen;

static void handler(int signal) {
  char letter = signal == SIGALRM ? 'a' : 'u';
  seen++;
  assert(write(pipes[1], &letter, 1) == 1);
}

static void handle(int signal, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  assert(sigaction(signal, &action, NULL) == 0);
}

int main(void) {
  char letters[4] = {0};
  assert(pipe(pipes) == 0);
  handle(SIGALRM, SA_RESTART);
  handle(SIGUSR1, 0);
  alarm(2);
  /* The handler fills the pipe, and the call goes on. */
  assert(read(pipes[0], &letters[0], 1) == 1);
  assert(kill(getpid(), SIGUSR1) == 0);
  assert(read(pipes[0], &letters[1], 1) == 1);
  struct itimerval soon = {.it_value = {.tv_usec = 500000}};
  assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
  assert(pause() == -1 && errno == EINTR);
  assert(read(pipes[0], &letters[2], 1) == 1);
  assert(seen == 3);
  assert(letters[0] != 'a' || letters[1] != 'u' || letters[2] != 'a'); // mark: guilty
  return 0;
}
