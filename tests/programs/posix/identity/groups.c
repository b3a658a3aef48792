//@ native: yes
// getgroups counts, fills, and refuses a list that is too short.
#include "../check.h"

static gid_t list[65536];

int main(void) {
  int n = getgroups(0, 0);
  IS(n >= 0);
  IS(getgroups(65536, list) == n);
  IS(getgroups(n, list) == n);
  SHOW(getgroups(minus_one, list));
  // A size of zero only counts, so one group can not be too many.
  IS(n < 2 || (getgroups(n - 1, list) == -1 && errno == EINVAL));
  return 0;
}
