/* Protocols and services in buffers of the caller. The tables are the library's, and need no room. */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <stddef.h>

static int give_protocol(const struct protoent *from, struct protoent *to, struct protoent **result) {
  *result = NULL;
  if (!from)
    return ENOENT;
  *to = *from;
  *result = to;
  return 0;
}
int getprotobyname_r(const char *name, struct protoent *to, char *text, size_t n, struct protoent **result) {
  int found = give_protocol(getprotobyname(name), to, result);
  return found == ENOENT ? 0 : found;
}
int getprotobynumber_r(int number, struct protoent *to, char *text, size_t n, struct protoent **result) {
  int found = give_protocol(getprotobynumber(number), to, result);
  return found == ENOENT ? 0 : found;
}
int getprotoent_r(struct protoent *to, char *text, size_t n, struct protoent **result) {
  return give_protocol(getprotoent(), to, result);
}
int getservent_r(struct servent *to, char *text, size_t n, struct servent **result) {
  struct servent *from = getservent();
  *result = NULL;
  if (!from)
    return ENOENT;
  *to = *from;
  *result = to;
  return 0;
}
