// A script is run by the program its first line names, with one argument at most and its own path.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void script(const char *line) {
  fflush(stdout);
  int fd = open("script", O_WRONLY | O_CREAT | O_TRUNC, 0700);
  if (write(fd, line, strlen(line)) < 0)
    printf("cannot write\n");
  close(fd);
  pid_t child = fork();
  if (child == 0) {
    execl("./script", "lost", "given", "too", NULL);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  if (argc > 1) {
    for (int i = 0; i < argc; i++)
      printf("[%s] ", argv[i]);
    return argc;
  }
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || symlink(self, "tool"))
    return 1;
  script("#!./tool\nignored\n");
  script("#!./tool -x\n");
  script("#! ./tool  two words \n");
  script("#!./tool");
  unlink("script");
  unlink("tool");
  return 0;
}
