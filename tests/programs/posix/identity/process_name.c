//@ native: yes
// prctl keeps a name of fifteen bytes and a few flags; unknown requests are refused.
#include "../check.h"
#include <sys/prctl.h>

int main(void) {
  char name[16] = "";
  SHOW(prctl(PR_SET_NAME, "short", 0, 0, 0));
  SHOW(prctl(PR_GET_NAME, name, 0, 0, 0));
  puts(name);
  SHOW(prctl(PR_SET_NAME, "a name that is too long", 0, 0, 0));
  SHOW(prctl(PR_GET_NAME, name, 0, 0, 0));
  puts(name);
  SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  SHOW(prctl(PR_SET_NAME, unmapped, 0, 0, 0));
  SHOW(prctl(99999, 0, 0, 0, 0));
  return 0;
}
