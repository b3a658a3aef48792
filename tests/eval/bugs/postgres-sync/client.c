/* Binds a value that somebody else has chosen, of any bytes, and runs a harmless query. */
#include <everett.h>

#include "../peer.h"

int main(void) {
  everett_faults(0); /* only those of the server matter */
  int fd = connected(SOCK_STREAM, "server", 5432);
  char bind[2 + 8] = {'B', 8}, query[] = {'Q', 4, 's', 'h', 'o', 'w'}, end[] = {'X', 0};
  klee_make_symbolic(bind + 2, 8, "value");
  write_all(fd, bind, sizeof bind);
  write_all(fd, query, sizeof query);
  write_all(fd, end, sizeof end);

  char answers[64];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
