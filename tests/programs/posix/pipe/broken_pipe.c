// Writing without a reader: EPIPE, and SIGPIPE ignored, handled or deadly; the wrong end is EBADF.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught += signal_ == SIGPIPE; }

static const char *name(int error) {
  return error == EPIPE ? "EPIPE" : error == EBADF ? "EBADF" : error ? "other" : "none";
}

static void put(const char *what, int fd, size_t size) {
  errno = 0;
  ssize_t done = write(fd, "abcd", size);
  printf("%s: %zd %s, caught %d\n", what, done, name(errno), (int)caught);
}

int main(void) {
  int ends[2];
  char byte;
  if (pipe(ends))
    return 1;
  put("read end", ends[0], 4);
  errno = 0;
  ssize_t got = read(ends[1], &byte, 1);
  printf("reading the write end: %zd %s\n", got, name(errno));
  put("with a reader", ends[1], 4);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  put("ignored", ends[1], 4);
  put("nothing", ends[1], 0);
  signal(SIGPIPE, handler);
  put("handled", ends[1], 4);
  put("again", ends[1], 1);
  signal(SIGPIPE, SIG_DFL);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    ssize_t done = write(ends[1], "x", 1);
    _exit(done < 0 ? 1 : 0);
  }
  int status;
  waitpid(child, &status, 0);
  printf("child: %d %d\n", WIFSIGNALED(status), WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
  close(ends[1]);
  put("closed", ends[1], 4);
  return 0;
}
