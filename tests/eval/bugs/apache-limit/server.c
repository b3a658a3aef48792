/* A web server whose directories have settings of their own, which are read anew for each request. `Limit` names
 * methods that a directory allows. Everything that belongs to a request is in its pool, which goes with it; the table
 * of methods belongs to the server. */
#include "../../../systems/sockets.h"

enum { METHODS_MAX = 8, POOL_BLOCKS = 16, LINE_MAX = 48 };

/* Memory that is freed together. */
struct pool {
  void *blocks[POOL_BLOCKS];
  int count;
};

static const char *methods[METHODS_MAX] = {"GET", "HEAD", "POST", "OPTIONS"};
static int method_count = 4;

static char *pool_copy(struct pool *pool, const char *text, size_t length) {
  assert(pool->count < POOL_BLOCKS);
  char *copy = malloc(length + 1);
  assert(copy != NULL);
  memcpy(copy, text, length);
  copy[length] = 0;
  pool->blocks[pool->count++] = copy;
  return copy;
}

static void pool_clear(struct pool *pool) {
  while (pool->count > 0) free(pool->blocks[--pool->count]);
}

static int method_number(const char *name) {
  for (int i = 0; i < method_count; i++)
    if (strcmp(methods[i], name) == 0) return i;
  return -1;
}

#ifndef REPAIRED
/* Adds a method that nobody has heard of. Returns its number, or -1 if the table is full. */
static int method_register(const char *name) {
  if (method_count == METHODS_MAX) return -1;
  methods[method_count] = name;
  return method_count++;
}
#endif

/* Takes the line `Limit NAME NAME ...` of a directory's settings. Returns the allowed methods as bits, -1 on errors. */
static int limit_section(struct pool *pool, const char *names) {
  int allowed = 0;
  while (*names != 0) {
    size_t length = strcspn(names, " ");
    const char *name = pool_copy(pool, names, length);
    int number = method_number(name);
#ifdef REPAIRED
    if (number < 0) return -1; /* only the server's own settings may add methods */
#else
    if (number < 0) number = method_register(name);
#endif
    if (number < 0) return -1;
    allowed |= 1 << number;
    names += length;
    while (*names == ' ') names++;
  }
  return allowed;
}

/* Reads the settings of a directory. */
static int read_settings(struct pool *pool, const char *directory) {
  char path[LINE_MAX], line[LINE_MAX];
  int allowed = 1 << method_number("GET") | 1 << method_number("OPTIONS");
  snprintf(path, sizeof path, "/srv/%s/.htaccess", directory);
  FILE *file = fopen(path, "r");
  if (file == NULL) return allowed;
  while (allowed >= 0 && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "Limit ", 6) == 0) allowed = limit_section(pool, line + 6);
  }
  fclose(file);
  return allowed;
}

/* Tells the methods that a directory allows. */
static void answer_options(int fd, int allowed) {
  char answer[128] = "200 Allow:";
  for (int i = 0; i < method_count; i++)
    if (allowed & 1 << i) {
      strcat(answer, " ");
      strcat(answer, methods[i]);
    }
  strcat(answer, "\n");
  write_all(fd, answer, strlen(answer));
}

/* Serves one request, `METHOD directory`. Returns 0 at the end of the connection. */
static int serve(int fd) {
  char line[LINE_MAX];
  size_t length = 0;
  while (length < sizeof line - 1 && read(fd, &line[length], 1) == 1 && line[length] != '\n') length++;
  line[length] = 0;
  if (length == 0) return 0;

  struct pool pool = {.count = 0};
  char *directory = strchr(line, ' ');
  if (directory == NULL) return 0;
  *directory++ = 0;
  int allowed = read_settings(&pool, pool_copy(&pool, directory, strlen(directory)));
  int method = method_number(pool_copy(&pool, line, strlen(line)));
  if (allowed < 0)
    write_all(fd, "500\n", 4);
  else if (method < 0 || !(allowed & 1 << method))
    write_all(fd, "405\n", 4);
  else if (strcmp(line, "OPTIONS") == 0)
    answer_options(fd, allowed);
  else
    write_all(fd, "200\n", 4);
  pool_clear(&pool);
  return 1;
}

int main(void) {
  int listener = listening(8080);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    while (serve(fd)) {}
    close(fd);
  }
}
