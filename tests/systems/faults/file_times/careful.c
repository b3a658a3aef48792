/* Takes a file of the future for one of today. */
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

int main(void) {
  struct stat facts;
  assert(stat("/", &facts) == 0);
  time_t now = time(NULL), changed = facts.st_mtime;
  if (changed > now) {
    puts("of the future");
    changed = now;
  }
  assert(now - changed >= 0);
  return 0;
}
