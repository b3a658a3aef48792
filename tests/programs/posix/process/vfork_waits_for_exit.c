// The parent of vfork goes on only when the child has ended.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _exit(9);
}

int main(void) {
  put("before\n");
  pid_t child = vfork();
  if (child == 0) {
    usleep(3000);
    put("child\n");
    _exit(3);
  }
  put("parent\n");
  int status;
  pid_t got = waitpid(child, &status, 0);
  printf("%d %d\n", got == child, WEXITSTATUS(status));
  return 0;
}
