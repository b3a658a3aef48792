/* Looks up what a customer has ordered. The name is what somebody has typed. */
#include <klee/klee.h>

#include "../../sockets.h"

enum { ANSWER_BYTES = 512 };

/* Executes a statement, and returns its rows, each with the end of its line. */
static void execute(int fd, const char *statement, char *rows) {
  size_t length = 0;
  write_all(fd, statement, strlen(statement));
  write_all(fd, "\n", 1);
  do {
    assert(length < ANSWER_BYTES - 1);
    assert(read(fd, rows + length++, 1) == 1);
  } while (rows[length - 1] != '\n' || (length > 1 && rows[length - 2] != '\n'));
  rows[length - 1] = 0;
}

/* Puts a text between quotation marks into a statement. */
static void quote(char *to, const char *text) {
  *to++ = '\'';
  for (; *text; text++) {
#ifdef CAREFUL
    if (*text == '\'') *to++ = '\'';
#endif
    *to++ = *text;
  }
  *to++ = '\'';
  *to = 0;
}

int main(void) {
  static const char *const names[] = {"ann", "bob", "o'hara", "' OR '1'='1"};
  char statement[256] = "SELECT amount FROM orders WHERE customer = ", rows[ANSWER_BYTES];
  unsigned char choice;
  int fd = connected(SOCK_STREAM, "db", 5000);
  execute(fd, "CREATE TABLE orders (customer TEXT, amount INTEGER CHECK (amount > 0))", rows);
  assert(rows[0] == 0);
  execute(fd, "INSERT INTO orders VALUES ('ann', 3), ('bob', 40), ('o''hara', 7)", rows);
  assert(rows[0] == 0);
  execute(fd, "INSERT INTO orders VALUES ('bob', 0)", rows);
  assert(strcmp(rows, "error: CHECK constraint failed: amount > 0\n") == 0);

  klee_make_symbolic(&choice, sizeof choice, "choice");
  klee_assume(choice < sizeof names / sizeof names[0]);
  for (unsigned char i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (i != choice) continue;
    quote(statement + strlen(statement), names[i]);
    execute(fd, statement, rows);
    int count = 0;
    for (const char *at = rows; *at; at++) count += *at == '\n';
    assert(strncmp(rows, "error", 5) != 0); // mark: syntax
    assert(count <= 1); // mark: injected
    assert(i > 1 || atoi(rows) == (i == 0 ? 3 : 40));
  }
  close(fd);
  return 0;
}
