/* A child squares what its parent writes into a pipe, and sends it back through a pair of sockets. */
#include <assert.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int in, int out) {
  uint8_t number;
  while (read(in, &number, 1) == 1) {
    uint16_t square = number * number;
    assert(send(out, &square, sizeof square, 0) == sizeof square);
  }
  _exit(3);
}

int main(void) {
  int pipes[2], pair[2], status, sum = 0;
  assert(pipe(pipes) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pid_t pid = fork();
  assert(pid >= 0);
  if (pid == 0) {
    close(pipes[1]);
    child(pipes[0], pair[1]);
  }
  close(pipes[0]);
  for (uint8_t i = 10; i < 13; i++) {
    uint16_t square;
    assert(write(pipes[1], &i, 1) == 1);
    assert(recv(pair[0], &square, sizeof square, 0) == sizeof square);
    sum += square;
  }
  close(pipes[1]);
  assert(waitpid(pid, &status, 0) == pid);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  assert(sum != 100 + 121 + 144); // mark: guilty
  return 0;
}
