/* A server for revisions of files, whose requests are lines. `Root` comes first and once. `Directory` says where the
 * following requests belong. An error is not told at once: requests are passed over until one that has an answer. */
#include "../../../systems/sockets.h"

enum { LINE_MAX = 64 };

static int fd;
static char *root, *directory;
static const char *pending_error;

static void say(const char *text) { write_all(fd, text, strlen(text)); }

/* Tells an error that waits. Returns whether there was one. */
static int print_pending_error(void) {
  if (pending_error == NULL) return 0;
  say("error ");
  say(pending_error);
  say("\n");
  pending_error = NULL;
  return 1;
}

static void serve_root(const char *path) {
  if (pending_error != NULL) return;
  if (root != NULL || path[0] != '/') {
    pending_error = "bad root";
    return;
  }
  root = strdup(path);
}

/* Goes to another directory below the root. */
static void change_directory(const char *name) {
  size_t length = strlen(name);
  if (pending_error != NULL) return;
  free(directory);
#ifdef REPAIRED
  directory = NULL;
#endif
  if (length == 0 || name[length - 1] == '/') {
    pending_error = "bad directory";
    return;
  }
  directory = malloc(strlen(root) + 1 + length + 1);
  assert(directory != NULL);
  sprintf(directory, "%s/%s", root, name);
}

static void serve_directory(const char *name) {
  if (root == NULL) {
    pending_error = "no root";
    return;
  }
  change_directory(name);
}

static void serve_where(void) {
  if (print_pending_error()) return;
  say(directory != NULL ? directory : "nowhere");
  say("\n");
}

static void serve_noop(void) {
  if (!print_pending_error()) say("ok\n");
}

static void serve_line(char *line) {
  char *argument = line + strcspn(line, " ");
  if (*argument == ' ') *argument++ = 0;
  if (strcmp(line, "Root") == 0)
    serve_root(argument);
  else if (strcmp(line, "Directory") == 0)
    serve_directory(argument);
  else if (strcmp(line, "where") == 0)
    serve_where();
  else if (strcmp(line, "noop") == 0)
    serve_noop();
  else
    say("unrecognized request\n");
}

int main(void) {
  int listener = listening(2401);
  fd = accept(listener, NULL, NULL);
  assert(fd >= 0);
  FILE *requests = fdopen(fd, "r");
  assert(requests != NULL);
  char line[LINE_MAX];
  while (fgets(line, sizeof line, requests) != NULL) {
    line[strcspn(line, "\n")] = 0;
    serve_line(line);
  }
  fclose(requests);
  return 0;
}
