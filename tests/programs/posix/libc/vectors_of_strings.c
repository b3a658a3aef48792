//@ native: yes
// argz_add(3) and envz_add(3): strings in one piece of memory, each with its end.
#include "../check.h"
#ifdef __GLIBC__
#include <argz.h>
#include <envz.h>
#else
int argz_create_sep(const char *, int, char **, size_t *);
int argz_create(char *const[], char **, size_t *);
size_t argz_count(const char *, size_t);
char *argz_next(const char *, size_t, const char *);
void argz_extract(const char *, size_t, char **);
void argz_stringify(char *, size_t, int);
int argz_add(char **, size_t *, const char *);
int argz_add_sep(char **, size_t *, const char *, int);
int argz_append(char **, size_t *, const char *, size_t);
void argz_delete(char **, size_t *, char *);
int argz_insert(char **, size_t *, char *, const char *);
int argz_replace(char **, size_t *, const char *, const char *, unsigned *);
char *envz_entry(const char *, size_t, const char *);
char *envz_get(const char *, size_t, const char *);
int envz_add(char **, size_t *, const char *, const char *);
int envz_merge(char **, size_t *, const char *, size_t, int);
void envz_remove(char **, size_t *, const char *);
void envz_strip(char **, size_t *);
#endif

static void show(const char *argz, size_t n) {
  printf("%zu of %zu:", argz_count(argz, n), n);
  for (const char *entry = 0; (entry = argz_next(argz, n, entry));)
    printf(" [%s]", entry);
  puts("");
}

int main(void) {
  char *argz, *words[16], *given[] = {"one", "", "three", 0};
  size_t n;
  SHOW(argz_create_sep("::a:bc::def:", ':', &argz, &n));
  show(argz, n);
  SHOW(argz_add(&argz, &n, "ghi"));
  SHOW(argz_add_sep(&argz, &n, "x y", ' '));
  SHOW(argz_append(&argz, &n, "p\0q", 4));
  show(argz, n);
  argz_extract(argz, n, words);
  printf("%s %s %s\n", words[1], words[6], words[9] ? "more" : "no more");
  argz_delete(&argz, &n, words[1]);
  SHOW(argz_insert(&argz, &n, argz + 3, "before"));
  SHOW(argz_insert(&argz, &n, 0, "last"));
  show(argz, n);
  unsigned count = 0;
  SHOW(argz_replace(&argz, &n, "e", "EE", &count));
  NUM(count);
  show(argz, n);
  argz_stringify(argz, n, ',');
  puts(argz);
  free(argz);
  SHOW(argz_create(given, &argz, &n));
  show(argz, n);
  free(argz);

  char *envz = 0, *other = 0;
  size_t size = 0, length = 0;
  SHOW(envz_add(&envz, &size, "HOME", "/root"));
  SHOW(envz_add(&envz, &size, "EMPTY", ""));
  SHOW(envz_add(&envz, &size, "NULL", 0));
  SHOW(envz_add(&envz, &size, "HOME", "/home"));
  show(envz, size);
  printf("%s %d\n", envz_get(envz, size, "HOME"), envz_get(envz, size, "NULL") == 0);
  IS(envz_entry(envz, size, "NULL") && !envz_entry(envz, size, "NUL"));
  envz_add(&other, &length, "HOME", "x");
  envz_add(&other, &length, "NEW", "y");
  SHOW(envz_merge(&envz, &size, other, length, 0));
  show(envz, size);
  SHOW(envz_merge(&envz, &size, other, length, 1));
  envz_strip(&envz, &size);
  show(envz, size);
  envz_remove(&envz, &size, "EMPTY");
  show(envz, size);
  free(envz);
  free(other);
  return 0;
}
