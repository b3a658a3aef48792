//@ native: yes
// uname, gethostname and sysinfo describe a Linux machine, and agree.
#include "../check.h"
#include <sys/sysinfo.h>
#include <sys/utsname.h>

int main(void) {
  be_ordinary_user();
  struct utsname u;
  char host[256];
  SHOW(uname(&u));
  printf("%s %s\n", u.sysname, u.machine);
  IS(u.nodename[0] != 0 && u.version[0] != 0);
  int major = 0, minor = 0;
  NUM(sscanf(u.release, "%d.%d", &major, &minor));
  IS(major >= 3);
  SHOW(gethostname(host, sizeof host));
  IS(strcmp(host, u.nodename) == 0);
  SHOW(uname(unmapped));
  SHOW(sethostname("x", 1));
  struct sysinfo s;
  SHOW(sysinfo(&s));
  IS(s.totalram > 0 && s.freeram <= s.totalram && s.procs > 0 && s.uptime >= 0 && s.mem_unit > 0);
  return 0;
}
