//@ native: yes
// The user data base knows root by name and number, and tells who is not there.
#include "../check.h"
#include <grp.h>
#include <pwd.h>

int main(void) {
  struct passwd *p = getpwnam("root");
  need(p != 0, "getpwnam");
  printf("%s %ld %ld %s\n", p->pw_name, (long)p->pw_uid, (long)p->pw_gid, p->pw_dir);
  p = getpwuid(0);
  need(p != 0, "getpwuid");
  puts(p->pw_name);
  errno = 0;
  IS(getpwnam("nobody-has-this-name") == 0 && errno == 0);
  IS(getpwuid(3999999999U) == 0);
  struct group *g = getgrgid(0);
  need(g != 0, "getgrgid");
  printf("%s %ld\n", g->gr_name, (long)g->gr_gid);
  IS(getgrnam("nobody-has-this-name") == 0);
  struct passwd entry, *result = 0;
  char buffer[1024];
  NUM(getpwnam_r("root", &entry, buffer, sizeof buffer, &result));
  IS(result == &entry && entry.pw_uid == 0);
  NUM(getpwnam_r("root", &entry, buffer, 1, &result) == ERANGE);
  setpwent();
  int found = 0;
  while ((p = getpwent()))
    found += strcmp(p->pw_name, "root") == 0;
  endpwent();
  NUM(found);
  return 0;
}
