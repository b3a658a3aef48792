// A wait for a signal that nothing can send any more.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught = signal_; }

int main(void) {
  signal(SIGUSR1, handler);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  pause(); // expect: bug deadlock
  return 0;
}
