// A blocking open of a FIFO waits for the other end, in both directions.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static ssize_t read_all(int fd, char *to, size_t room) {
  size_t at = 0;
  for (ssize_t got; at < room && (got = read(fd, to + at, room - at)) > 0;)
    at += (size_t)got;
  return (ssize_t)at;
}

int main(void) {
  if (mkfifo("there", 0600) || mkfifo("back", 0600))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    char heard[32];
    int in = open("there", O_RDONLY);
    ssize_t size = read_all(in, heard, sizeof heard);
    int out = open("back", O_WRONLY);
    for (ssize_t i = 0; i < size; i++)
      heard[i] = (char)(heard[i] >= 'a' && heard[i] <= 'z' ? heard[i] - 32 : heard[i]);
    _exit(write(out, heard, (size_t)size) == size ? 0 : 1);
  }
  int out = open("there", O_WRONLY);
  printf("%zd\n", write(out, "question", 8));
  close(out);
  int in = open("back", O_RDONLY);
  char heard[32];
  ssize_t size = read_all(in, heard, sizeof heard);
  int status;
  waitpid(child, &status, 0);
  printf("%.*s %d\n", (int)size, heard, status);
  unlink("there");
  unlink("back");
  return 0;
}
