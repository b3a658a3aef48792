//@ opt: O0
//@ findings: 1
//@ paths: 305
// The maze with an assertion at the prize: one finding, reached by four of the routes.
#include <assert.h>
#include <klee/klee.h>

enum { ROWS = 7, COLUMNS = 11, MOVES = 28 };

char maze[ROWS][COLUMNS + 1] = {"+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |",
                                "| +-- | | |", "|     |   |", "+-----+---+"};

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
    assert(maze[next_row][next_column] != '#'); // expect: bug assert
    // expect: message contains "maze[next_row][next_column] != '#'"
    if (blocked(next_row, next_column))
      return 2;
    row = next_row;
    column = next_column;
    maze[row][column] = 'X';
  }
  return 3;
}
