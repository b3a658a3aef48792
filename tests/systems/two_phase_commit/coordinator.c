/* Two-phase commit: asks all committers for their votes, decides, and checks what they did.
 * Arguments: how many there are, and the rule: `all`, or with a mistake `majority` or `impatient`. */
#include "../sockets.h"

enum { MOST = 8 };

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int by_majority = strcmp(argv[2], "majority") == 0, impatient = strcmp(argv[2], "impatient") == 0;
  int committer[MOST], listener = listening(5000);
  for (int i = 0; i < n; i++) {
    committer[i] = accept(listener, NULL, NULL);
    assert(committer[i] >= 0);
  }
  int yes = 0, asked = 0;
  while (asked < n) {
    char vote;
    assert(read(committer[asked++], &vote, 1) == 1);
    if (vote == 'y')
      yes++;
    else if (impatient)
      break;
  }
  char decision = (by_majority ? 2 * yes > n : yes == n) ? 'c' : 'a';
  /* The impatient one forgets those whose votes it did not wait for. */
  for (int i = 0; i < asked; i++) write_all(committer[i], &decision, 1);
  for (int i = 0; i < n; i++) {
    char done;
    if (i >= asked) assert(read(committer[i], &done, 1) == 1 && (done == 'y' || done == 'n'));
    assert(read(committer[i], &done, 1) == 1); // mark: acknowledgement
    assert(done == decision);
  }
  return 0;
}
