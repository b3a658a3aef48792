/* Looks at the value, changes it in the database, and deletes the old one from the cache. A second later, whatever is
 * in the cache is new. That is not so if a reader has read the old value from the database, and fills the cache with
 * it after the deletion. */
#include "cache.h"

int main(void) {
  int cache = connected(SOCK_DGRAM, "cache", CACHE_PORT), database = connected(SOCK_DGRAM, "database", DATABASE_PORT);
  struct message found = ask(cache, (struct message){GET, 0, 0});
  int value = found.kind == DONE ? found.value + 1 : 2;
  ask(database, (struct message){SET, value, 0});
  ask(cache, (struct message){DELETE, 0, 0});
  sleep(1);
  found = ask(cache, (struct message){GET, 0, 0});
  assert(found.kind == MISS || found.value == value); // mark: stale
  return 0;
}
