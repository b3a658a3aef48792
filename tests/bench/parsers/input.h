/* The input of a parser: SIZE symbolic bytes with a terminator behind them. */
#ifndef PARSER_INPUT_H
#define PARSER_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "klee/klee.h"

/* A small number as a plain one: a path that printed an expression would print one of its values only. */
static int plain(long number) {
  for (volatile int value = 0; value < 100; value++)
    if (number == value)
      return value;
  return 100;
}

static char *symbolic_input(size_t size) {
  static char input[64];
  klee_make_symbolic(input, size, "input");
  input[size] = '\0';
  return input;
}

#endif
