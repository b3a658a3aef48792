/* A library that the plugin needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int program_value;
static int *numbers;

int needed_value(int n) {
  numbers[0] += n;
  return numbers[0] + program_value + atoi("7");
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

__attribute__((constructor)) static void begin(void) {
  printf("needed begins\n");
  numbers = calloc(4, sizeof *numbers);
  numbers[3] = -5;
  qsort(numbers, 4, sizeof *numbers, ascending);
}
static void at_exit(void) { printf("at exit\n"); }
__attribute__((destructor)) static void end(void) {
  printf("needed ends\n");
  free(numbers);
}
void needed_register(void) { atexit(at_exit); }
