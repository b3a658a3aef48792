/* Keeps one value until it is deleted. A careful cache gives a token to whoever misses the value, and takes what it
 * is given only with the last token, which a deletion makes void. A careless one takes what it is given, however old
 * that is. */
#include "cache.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  int careful = strcmp(argv[1], "careful") == 0;
  int fd = bound(SOCK_DGRAM, CACHE_PORT), value = 0, filled = 0, token = 0;
  for (;;) {
    struct sockaddr_in peer;
    struct message request = receive(fd, &peer);
    switch (request.kind) {
    case GET:
      if (filled)
        answer(fd, &peer, (struct message){DONE, value, 0});
      else
        answer(fd, &peer, (struct message){MISS, 0, ++token});
      break;
    case SET:
      if (!careful || request.token == token) {
        value = request.value;
        filled = 1;
      }
      answer(fd, &peer, (struct message){DONE, value, 0});
      break;
    case DELETE:
      filled = 0;
      token++;
      answer(fd, &peer, (struct message){DONE, 0, 0});
    }
  }
}
