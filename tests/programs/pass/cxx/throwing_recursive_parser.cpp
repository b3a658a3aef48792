//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ paths: 9
// A recursive parser of nested parentheses throws through all of its levels.
#include <klee/klee.h>
#include <stdio.h>

struct Unexpected {
  int position;
};
struct Unclosed {
  int position;
};
struct Trailing {};

static char text[4];
static int levels;

// Counts the levels that are entered and left.
struct Level {
  Level() { levels++; }
  ~Level() { levels--; }
};

static int expression(int *at) {
  Level level;
  char byte = text[(*at)++];
  if (byte == 'x')
    return levels;
  if (byte != '(')
    throw Unexpected{*at};
  int depth = expression(at);
  if (text[(*at)++] != ')')
    throw Unclosed{*at};
  return depth;
}

int main() {
  char input[3];
  klee_make_symbolic(input, sizeof input, "input");
  for (int i = 0; i < 3; i++)
    text[i] = input[i];
  int at = 0;
  try {
    int depth = expression(&at);
    if (text[at] != 0)
      throw Trailing();
    printf("depth %d\n", depth);
  } catch (const Unexpected &error) {
    printf("unexpected at %d\n", error.position);
  } catch (const Unclosed &error) {
    printf("unclosed at %d\n", error.position);
  } catch (const Trailing &) {
    puts("trailing");
  }
  klee_assert(levels == 0);
  return 0;
}
