// String functions do not look behind the terminator.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  char *volatile text = malloc(16);
  char *volatile other = malloc(16);
  strcpy(text, "abc");
  strcpy(other, text);
  strcat(other, "def");
  yes = (int)strlen(other) + strcmp(text, other) + strncmp(text, other, 16);
  char *copy = strdup(other);
  yes = strchr(copy, 'f') != 0;
  free(copy);
  free(text);
  free(other);
  return 0;
}
