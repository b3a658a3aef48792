// Reads arguments, a file and standard input, and writes to both outputs: what `cargo xtask eval smoke`
// compares with the native run and explores.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void mirror(FILE *from) {
  char line[256];
  while (fgets(line, sizeof line, from)) {
    size_t length = strcspn(line, "\n");
    while (length > 0)
      putchar(line[--length]);
    putchar('\n');
  }
}

static int in_child(const char *name) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    FILE *file = fopen(name, "r");
    if (!file) {
      fprintf(stderr, "mirror: %s: %s\n", name, strerror(errno));
      _exit(3);
    }
    mirror(file);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  if (argc < 2)
    mirror(stdin);
  int worst = 0;
  for (int i = 1; i < argc; i++) {
    int code = in_child(argv[i]);
    worst = code > worst ? code : worst;
  }
  return worst;
}
