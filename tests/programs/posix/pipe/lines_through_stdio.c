// Streams over pipes: lines to a child and its answers back, full buffers flushed by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int there[2], back[2];
  if (pipe(there) || pipe(back))
    return 1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(there[1]);
    close(back[0]);
    FILE *in = fdopen(there[0], "r"), *out = fdopen(back[1], "w");
    int a, b, lines = 0;
    while (fscanf(in, "%d %d", &a, &b) == 2) {
      fprintf(out, "%d + %d = %d\n", a, b, a + b);
      fflush(out);
      lines++;
    }
    exit(lines);
  }
  close(there[0]);
  close(back[1]);
  FILE *out = fdopen(there[1], "w"), *in = fdopen(back[0], "r");
  char line[64];
  for (int i = 1; i <= 4; i++) {
    fprintf(out, "%d %d\n", i, i * i);
    fflush(out);
    if (fgets(line, sizeof line, in))
      printf("%d: %s", i, line);
  }
  fclose(out);
  char *more = fgets(line, sizeof line, in);
  printf("%d %d %d\n", more == NULL, feof(in) != 0, ferror(in));
  int status;
  waitpid(child, &status, 0);
  printf("child saw %d\n", WEXITSTATUS(status));
  fclose(in);
  return 0;
}
