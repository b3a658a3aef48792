/* The first line of an HTTP request: a method, a target with an optional query, and a version. */
#include "input.h"

#ifndef SIZE
#define SIZE 7
#endif

enum method { GET, PUT, OTHER };

struct request {
  enum method method;
  char target[16];
  char query[16];
  int version;
};

static enum method method_of(const char *word) {
  if (strcmp(word, "GET") == 0 || strcmp(word, "G") == 0)
    return GET;
  if (strcmp(word, "PUT") == 0 || strcmp(word, "P") == 0)
    return PUT;
  return OTHER;
}

static int parse(char *line, struct request *request) {
  char *end = strchr(line, '\r');
  if (end == NULL)
    return 400;
  *end = '\0';
  char *space = strchr(line, ' ');
  if (space == NULL || space == line)
    return 400;
  *space = '\0';
  request->method = method_of(line);
  if (request->method == OTHER)
    return 405;
  char *target = space + 1;
  char *version = strchr(target, ' ');
  if (version != NULL) {
    *version++ = '\0';
    if (strlen(version) != 1 || (version[0] != '0' && version[0] != '1'))
      return 505;
    request->version = version[0] - '0';
  }
  if (target[0] != '/')
    return 404;
  char *query = strchr(target, '?');
  if (query != NULL) {
    *query++ = '\0';
    strcpy(request->query, query);
  }
  strcpy(request->target, target);
  return 200;
}

int main(void) {
  char *input = symbolic_input(SIZE);
  struct request request = {OTHER, "", "", 0};
  int status = parse(input, &request);
  printf("status %d method %d target %d query %d version %d\n", plain(status), plain(request.method),
         plain(strlen(request.target)), plain(strlen(request.query)), plain(request.version));
  return 0;
}
