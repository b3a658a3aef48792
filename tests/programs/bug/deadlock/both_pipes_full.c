// Parent and child both write more than a pipe holds before either reads.
#include <sys/wait.h>
#include <unistd.h>

static char data[100000];

int main(void) {
  int there[2], back[2];
  if (pipe(there) || pipe(back))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    close(there[1]);
    close(back[0]);
    ssize_t put = write(back[1], data, sizeof data), got = read(there[0], data, sizeof data);
    _exit(put + got == 0);
  }
  close(there[0]);
  close(back[1]);
  ssize_t put = write(there[1], data, sizeof data); // expect: bug deadlock
  ssize_t got = read(back[0], data, sizeof data);
  waitpid(child, NULL, 0);
  return put + got == 0;
}
