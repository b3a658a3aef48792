// signalfd: pending signals are read as records, poll sees them, the set can be changed; errors.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

static void take(const char *what, size_t size) {
  struct signalfd_siginfo info[4];
  struct pollfd one = {fd, POLLIN, 0};
  int ready = poll(&one, 1, 0);
  ssize_t got = read(fd, info, size);
  printf("%s: ready %d, ", what, ready);
  if (got < 0)
    printf("%s", errno == EAGAIN ? "EAGAIN" : errno == EINVAL ? "EINVAL" : "other");
  for (ssize_t i = 0; i < got / (ssize_t)sizeof *info; i++)
    printf("[signal %u code %d value %d from me %d]", info[i].ssi_signo, info[i].ssi_code == SI_QUEUE,
           info[i].ssi_int, info[i].ssi_pid == (unsigned)getpid());
  printf("\n");
}

int main(void) {
  sigset_t one, both;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  both = one;
  sigaddset(&both, SIGUSR2);
  sigprocmask(SIG_BLOCK, &both, NULL);
  fd = signalfd(-1, &one, SFD_NONBLOCK | SFD_CLOEXEC);
  printf("%d %d\n", (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0, (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  take("nothing", sizeof(struct signalfd_siginfo));
  kill(getpid(), SIGUSR2);
  take("another", sizeof(struct signalfd_siginfo));
  union sigval value = {.sival_int = 7};
  sigqueue(getpid(), SIGUSR1, value);
  take("short", 10);
  take("queued", sizeof(struct signalfd_siginfo));
  printf("%d\n", signalfd(fd, &both, 0) == fd);
  kill(getpid(), SIGUSR1);
  take("two", 4 * sizeof(struct signalfd_siginfo));
  take("taken", 4 * sizeof(struct signalfd_siginfo));
  int result = signalfd(1, &one, 0);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  result = signalfd(500, &one, 0);
  printf("%d %s\n", result, errno == EBADF ? "EBADF" : "other");
  result = signalfd(-1, &one, 1);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  fcntl(fd, F_SETFL, 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(kill(getppid(), SIGUSR2));
  struct signalfd_siginfo info;
  ssize_t got = read(fd, &info, sizeof info);
  printf("blocking: %d %u from the child %d\n", got == sizeof info, info.ssi_signo,
         info.ssi_pid == (unsigned)child);
  waitpid(child, NULL, 0);
  return 0;
}
