/* Serves two clients at ::, and expects those of IPv4 inside of IPv6. Its first client has to be one of IPv6, which is
 * the bug if the scenario says so. */
#include "ipv6.h"

int main(int argc, char **argv) {
  int is_strict = argc > 1 && strcmp(argv[1], "strict") == 0;
  int listener = bound6(SOCK_STREAM, 7000, 0);
  assert(listen(listener, 5) == 0);
  for (int number = 0; number < 2; number++) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    int fd = accept(listener, (struct sockaddr *)&from, &size);
    assert(fd >= 0 && size == sizeof(struct sockaddr_in6));
    char name[16] = {0};
    assert(read_all(fd, name, 4) == 4);
    const char *text = text_of(&from);
    if (strcmp(name, "four") == 0)
      assert(strcmp(text, "::ffff:10.0.0.3") == 0);
    else
      assert(strcmp(text, "fd00:1::2") == 0);
    if (is_strict && number == 0)
      assert(strcmp(name, "six!") == 0); // mark: first
    write_all(fd, text, strlen(text));
    close(fd);
  }
  return 0;
}
