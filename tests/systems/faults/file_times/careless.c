/* Takes for granted that no file is of the future. */
#include <assert.h>
#include <sys/stat.h>
#include <time.h>

int main(void) {
  struct stat facts;
  assert(stat("/", &facts) == 0);
  time_t now = time(NULL);
  assert(facts.st_mtime <= now); // mark: guilty
  return 0;
}
