//@ opt: O0
//@ paths: 309
// The maze with 28 symbolic moves: every way to lose and all four ways to the prize, one through a wall.
#include <assert.h>
#include <klee/klee.h>

enum { ROWS = 7, COLUMNS = 11, MOVES = 28 };

char maze[ROWS][COLUMNS + 1] = {"+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |",
                                "| +-- | | |", "|     |   |", "+-----+---+"};

/* The bug of this maze: vertical walls in row 2 can be walked through. */
static int blocked(int row, int column) {
  char cell = maze[row][column];
  return cell != ' ' && !(row == 2 && cell == '|' && column > 0 && column < COLUMNS);
}

int main(void) {
  char moves[MOVES];
  int row = 1, column = 1;
  klee_make_symbolic(moves, sizeof moves, "moves");
  maze[row][column] = 'X';
  for (int i = 0; i < MOVES; i++) {
    int next_row = row, next_column = column;
    switch (moves[i]) {
    case 'w': next_row--; break;
    case 's': next_row++; break;
    case 'a': next_column--; break;
    case 'd': next_column++; break;
    default: return 1;
    }
    if (maze[next_row][next_column] == '#')
      return 0;
    if (blocked(next_row, next_column))
      return 2;
    row = next_row;
    column = next_column;
    maze[row][column] = 'X';
  }
  return 3;
}
