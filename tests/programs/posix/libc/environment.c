//@ native: yes
// getenv, setenv, putenv, unsetenv and clearenv change one list.
#include "../check.h"

extern char **environ;

int main(void) {
  clearenv();
  IS(environ == 0 || *environ == 0);
  IS(getenv("A") == 0);
  SHOW(setenv("A", "1", 0));
  SHOW(setenv("A", "2", 0));
  puts(getenv("A"));
  SHOW(setenv("A", "3", 1));
  puts(getenv("A"));
  static char entry[] = "B=first";
  SHOW(putenv(entry));
  puts(getenv("B"));
  entry[2] = 'F';
  puts(getenv("B"));
  SHOW(setenv("EMPTY", "", 1));
  printf("[%s]\n", getenv("EMPTY"));
  int n = 0;
  for (char **e = environ; *e; e++)
    n++;
  NUM(n);
  SHOW(unsetenv("A"));
  IS(getenv("A") == 0);
  SHOW(unsetenv("A"));
  SHOW(setenv("", "x", 1));
  SHOW(setenv("X=Y", "x", 1));
  SHOW(unsetenv(""));
  IS(getenv("") == 0);
  return 0;
}
