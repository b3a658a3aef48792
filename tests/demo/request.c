/* The request parser of a small key-value server, with a bug that tests rarely find.
 *
 * A request is a verb, the length of the key, the key, and for `S` the value to set. */
#include <klee/klee.h>

#define REQUEST_SIZE 8
#define KEY_SIZE 4

struct request {
  char verb;
  char key[KEY_SIZE];
  char value;
};

static void copy(char *to, const char *from, unsigned length) {
  while (length-- > 0)
    *to++ = *from++;
}

/* Returns 0, or -1 when the bytes are no request. */
static int parse(struct request *request, const char *bytes) {
  request->verb = bytes[0];
  if (request->verb != 'G' && request->verb != 'S')
    return -1;

  int length = bytes[1]; /* a plain char is signed on this machine */
  if (length > KEY_SIZE)
    return -1;
  copy(request->key, bytes + 2, length);

  if (request->verb == 'S')
    request->value = bytes[2 + length];
  return 0;
}

int main(void) {
  char bytes[REQUEST_SIZE];
  struct request request;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  return parse(&request, bytes) < 0;
}
