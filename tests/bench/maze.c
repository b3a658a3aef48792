/* A walk through a maze of 11 x 7 cells, driven by 28 symbolic moves.
 *
 * The way to the exit is walled off, but three of the walls ('%') can be walked through, which opens
 * four different ways. A cell may be entered only once. 309 paths in all: 4 of them reach the exit. */
#include "klee/klee.h"

#define WIDTH 11
#define HEIGHT 7
#define MOVES 28

static char grid[HEIGHT][WIDTH + 1] = {
    "###########",
    "# #     #E#",
    "# % ### % %",
    "# #   # # #",
    "# ### # # #",
    "#     #   #",
    "###########",
};

static char cell(int x, int y) {
  if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)
    return '#';
  return grid[y][x];
}

static int walk(const char *moves) {
  int x = 1, y = 1;
  grid[y][x] = 'x';
  for (int i = 0; i < MOVES; i++) {
    switch (moves[i]) {
    case 'w': y--; break;
    case 's': y++; break;
    case 'a': x--; break;
    case 'd': x++; break;
    default: return 2; /* no such move */
    }
    switch (cell(x, y)) {
    case ' ':
    case '%':
      grid[y][x] = 'x';
      break;
    case 'E':
      klee_assert(0 && "the exit is reached");
      return 0;
    default:
      return 1; /* against a wall, or back on the own track */
    }
  }
  return 3;
}

int main(void) {
  char moves[MOVES];
  klee_make_symbolic(moves, sizeof moves, "moves");
  return walk(moves);
}
