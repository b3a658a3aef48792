//@ native: yes
// Without privilege the ids can only be set to one that the process already has.
#include "../check.h"
#include <grp.h>

int main(void) {
  be_ordinary_user();
  uid_t uid = getuid(), r, e, s;
  gid_t gid = getgid(), rg, eg, sg;
  IS(uid == geteuid() && gid == getegid() && uid != 0);
  SHOW(getresuid(&r, &e, &s));
  IS(r == uid && e == uid && s == uid);
  SHOW(getresgid(&rg, &eg, &sg));
  IS(rg == gid && eg == gid && sg == gid);
  SHOW(setuid(uid));
  SHOW(setgid(gid));
  SHOW(seteuid(uid));
  SHOW(setegid(gid));
  SHOW(setreuid((uid_t)-1, uid));
  SHOW(setregid(gid, (gid_t)-1));
  SHOW(setresuid((uid_t)-1, (uid_t)-1, (uid_t)-1));
  SHOW(setresgid(gid, gid, gid));
  SHOW(setuid(0));
  SHOW(setuid(uid + 1));
  SHOW(setgid(0));
  SHOW(seteuid(0));
  SHOW(setegid(0));
  SHOW(setreuid(0, 0));
  SHOW(setregid(0, 0));
  SHOW(setresuid(uid, 0, uid));
  SHOW(setresgid(gid, 0, gid));
  SHOW(setuid((uid_t)-1));
  gid_t none[1] = {0};
  SHOW(setgroups(1, none));
  IS(uid == getuid() && uid == geteuid() && gid == getgid() && gid == getegid());
  return 0;
}
