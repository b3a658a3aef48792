/* An address: a scheme, a host with an optional port, a path, and escapes in the path. */
#include "input.h"

#ifndef SIZE
#define SIZE 6
#endif

struct address {
  char scheme[16];
  char host[16];
  char path[16];
  int port;
};

static int hex(char c) {
  const char *digits = "0123456789abcdef";
  const char *place = c == '\0' ? NULL : strchr(digits, c);
  return place == NULL ? -1 : (int)(place - digits);
}

static int unescape(char *to, const char *from) {
  while (*from != '\0') {
    size_t plain = strcspn(from, "%");
    memcpy(to, from, plain);
    to += plain;
    from += plain;
    if (*from == '%') {
      int high = hex(from[1]), low = high < 0 ? -1 : hex(from[2]);
      if (low < 0)
        return -1;
      *to++ = (char)(16 * high + low);
      from += 3;
    }
  }
  *to = '\0';
  return 0;
}

static int parse(char *text, struct address *address) {
  char *colon = strchr(text, ':');
  char *slash = strchr(text, '/');
  if (colon != NULL && slash == colon + 1) {
    *colon = '\0';
    if (colon == text)
      return 1;
    strcpy(address->scheme, text);
    text = slash + 1;
    slash = strchr(text, '/');
  }
  if (slash != NULL) {
    if (unescape(address->path, slash + 1) != 0)
      return 2;
    *slash = '\0';
  }
  char *port = strchr(text, ':');
  if (port != NULL) {
    *port++ = '\0';
    if (strlen(port) != 1 || port[0] < '0' || port[0] > '9')
      return 3;
    address->port = 1;
  }
  strcpy(address->host, text);
  return 0;
}

int main(void) {
  char *input = symbolic_input(SIZE);
  struct address address = {"", "", "", 0};
  int error = parse(input, &address);
  printf("error %d scheme %d host %d path %d port %d\n", plain(error), plain(strlen(address.scheme)),
         plain(strlen(address.host)), plain(strlen(address.path)), plain(address.port));
  return 0;
}
