//@ native: yes
// telldir and seekdir return to an entry, rewinddir to the first and to what was made meanwhile.
#include "../check.h"
#include <dirent.h>

int main(void) {
  char name[16], names[40][16];
  long places[40];
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "f%02d", i);
    put(name, "x");
  }
  DIR *dir = opendir(".");
  int n = 0;
  struct dirent *e;
  for (;;) {
    places[n] = telldir(dir);
    if (!(e = readdir(dir)))
      break;
    strcpy(names[n++], e->d_name);
  }
  NUM(n);
  int same = 0, exact = 0;
  for (int i = 0; i < n; i++) {
    int k = i * 7 % n;
    seekdir(dir, places[k]);
    exact += telldir(dir) == places[k];
    e = readdir(dir);
    same += e && strcmp(e->d_name, names[k]) == 0;
  }
  IS(exact == n);
  IS(same == n);
  seekdir(dir, places[n]);
  IS(readdir(dir) == 0);
  rewinddir(dir);
  e = readdir(dir);
  IS(e && strcmp(e->d_name, names[0]) == 0);
  put("late", "x");
  rewinddir(dir);
  int found = 0;
  for (n = 0; (e = readdir(dir)); n++)
    found += strcmp(e->d_name, "late") == 0;
  NUM(n);
  NUM(found);
  return closedir(dir);
}
