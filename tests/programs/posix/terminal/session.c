// A shell's view: the terminal of a session, signals from its keys, the group in front, and a hang-up.
#include "../check.h"
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

static volatile sig_atomic_t last;

static void on_signal(int number) {
  last = number;
}

static int leader(const char *name) {
  need(setsid() > 0, "setsid");
  int fd = open(name, O_RDWR);
  need(fd >= 0, "open");
  // The leader of a session without a terminal gets the first one that it opens.
  int same = open("/dev/tty", O_RDWR);
  need(same >= 0 && tcgetsid(same) == getpid() && tcgetpgrp(fd) == getpid(), "session");
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, 0);
  sigaction(SIGHUP, &action, 0);
  sigset_t none, interrupt;
  sigemptyset(&none);
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_SETMASK, &interrupt, 0);
  need(write(fd, "ready\n", 6) == 6, "write");
  // The signal ends this wait, also if it comes before it begins.
  char line[32] = "";
  struct pollfd typed = {.fd = fd, .events = POLLIN};
  need(ppoll(&typed, 1, 0, &none) == -1 && errno == EINTR && last == SIGINT, "interrupt");
  sigprocmask(SIG_SETMASK, &none, 0);
  pid_t child = fork();
  if (child == 0) {
    // A process behind is stopped when it reads.
    setpgid(0, 0);
    signal(SIGTTIN, SIG_DFL);
    _exit(read(fd, line, sizeof line) == 4 ? 5 : 6);
  }
  int status;
  need(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTIN,
       "stopped");
  need(tcsetpgrp(fd, child) == 0 && tcgetpgrp(fd) == child, "in front");
  need(write(fd, "go\n", 3) == 3, "write");
  kill(child, SIGCONT);
  need(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5, "child");
  signal(SIGTTOU, SIG_IGN);
  need(tcsetpgrp(fd, getpid()) == 0, "in front again");
  need(write(fd, "done\n", 5) == 5, "write");
  while (last != SIGHUP)
    usleep(1000);
  return read(fd, line, sizeof line) == 0 ? 9 : 10;
}

static void expect(int master, const char *text) {
  char seen[64];
  size_t count = 0;
  while (count < strlen(text)) {
    ssize_t more = read(master, seen + count, strlen(text) - count);
    need(more > 0, "read");
    count += (size_t)more;
  }
  bytes("shown", seen, count);
}

int main(void) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  need(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "master");
  char *name = ptsname(master);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit((close(master), leader(name)));
  expect(master, "ready\r\n");
  need(write(master, "\x03", 1) == 1, "write");
  expect(master, "^C");
  expect(master, "go\r\n");
  need(write(master, "abc\n", 4) == 4, "write");
  expect(master, "abc\r\ndone\r\n");
  SHOW(close(master));
  int status;
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));
  return 0;
}
