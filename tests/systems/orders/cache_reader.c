/* Looks for the value in the cache, and if it is not there, fills the cache with what the database has. */
#include "cache.h"

int main(void) {
  int cache = connected(SOCK_DGRAM, "cache", CACHE_PORT), database = connected(SOCK_DGRAM, "database", DATABASE_PORT);
  struct message found = ask(cache, (struct message){GET, 0, 0});
  if (found.kind == DONE) return 0;
  int value = ask(database, (struct message){GET, 0, 0}).value;
  ask(cache, (struct message){SET, value, found.token});
  return 0;
}
