//@ native: yes
//@ argv: one two 33
// main receives its arguments, ends them with a null pointer, and its result is the exit code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d\n", argc);
  for (int i = 1; i < argc; i++)
    printf("%s %zu\n", argv[i], strlen(argv[i]));
  printf("%d %d\n", argv[argc] == 0, atoi(argv[3]) + 1);
  return 0;
}
