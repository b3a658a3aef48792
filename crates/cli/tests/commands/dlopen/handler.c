/* A plugin with a state, a file, and an assertion that some inputs break. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static int calls;

int handle(const unsigned char *bytes, int size) {
  calls++;
  int log = open("/tmp/log", O_CREAT | O_WRONLY | O_APPEND, 0600);
  write(log, bytes, size);
  close(log);
  assert(!(bytes[0] == 'k' && bytes[1] == 'o' && calls == 4));
  return calls;
}
