// Three children in a pipeline, each with its standard input and output moved by dup2.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int produce(void) {
  for (int i = 1; i <= 20; i++)
    printf("line %d\n", i);
  return 1;
}

static int upper_odd(void) {
  char line[64];
  for (int i = 1; fgets(line, sizeof line, stdin); i++) {
    if (i % 2 == 0)
      continue;
    for (char *c = line; *c; c++)
      *c = (char)toupper((unsigned char)*c);
    fputs(line, stdout);
  }
  return 2;
}

static int count(void) {
  char line[64];
  int lines = 0, bytes = 0;
  while (fgets(line, sizeof line, stdin)) {
    lines++;
    bytes += (int)strlen(line);
    if (lines == 1 || lines == 10)
      fputs(line, stdout);
  }
  printf("%d lines, %d bytes\n", lines, bytes);
  return 3;
}

int main(void) {
  int (*stages[])(void) = {produce, upper_odd, count}, in = -1, status;
  pid_t children[3];
  for (int i = 0; i < 3; i++) {
    int ends[2] = {-1, -1};
    if (i < 2 && pipe(ends))
      return 1;
    if ((children[i] = fork()) == 0) {
      if (in >= 0)
        dup2(in, 0), close(in);
      if (ends[1] >= 0)
        dup2(ends[1], 1), close(ends[1]), close(ends[0]);
      exit(stages[i]());
    }
    if (in >= 0)
      close(in);
    if (ends[1] >= 0)
      close(ends[1]);
    in = ends[0];
  }
  for (int i = 0; i < 3; i++) {
    waitpid(children[i], &status, 0);
    printf("%d ", WEXITSTATUS(status));
  }
  printf("\n");
  return 0;
}
