/* Greets the server, and sends one record of any type. The length of the record, the kind of the heartbeat and the
 * length of its payload are symbolic. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 4433);
  unsigned char hello[] = {22, 3, 3, 0, 2, 1, 7};
  write_all(fd, hello, sizeof hello);

  unsigned char record[5 + 12] = {0, 3, 3};
  klee_make_symbolic(&record[0], 1, "type");
  klee_make_symbolic(&record[3], 5, "lengths");
  write_all(fd, record, sizeof record);

  unsigned char answers[128];
  assert(last_answers(fd, answers, sizeof answers) >= 7 && answers[0] == 22);
  return 0;
}
