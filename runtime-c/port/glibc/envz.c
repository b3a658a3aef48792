/* Vectors of `name=value` in one piece of memory: envz_add(3). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *argz_next(const char *argz, size_t n, const char *entry);
int argz_append(char **argz, size_t *n, const char *more, size_t length);
int argz_add(char **argz, size_t *n, const char *text);
void argz_delete(char **argz, size_t *n, char *entry);

char *envz_entry(const char *envz, size_t n, const char *name) {
  size_t length = strcspn(name, "=");
  for (const char *entry = 0; (entry = argz_next(envz, n, entry));)
    if (!strncmp(entry, name, length) && (!entry[length] || entry[length] == '='))
      return (char *)entry;
  return NULL;
}
char *envz_get(const char *envz, size_t n, const char *name) {
  char *entry = envz_entry(envz, n, name);
  char *value = entry ? strchr(entry, '=') : NULL;
  return value ? value + 1 : NULL;
}
void envz_remove(char **envz, size_t *n, const char *name) { argz_delete(envz, n, envz_entry(*envz, *n, name)); }

int envz_add(char **envz, size_t *n, const char *name, const char *value) {
  envz_remove(envz, n, name);
  if (!value)
    return argz_add(envz, n, name);
  size_t whole = strlen(name) + strlen(value) + 2;
  char *text = malloc(whole);
  if (!text)
    return ENOMEM;
  strcat(strcat(strcpy(text, name), "="), value);
  int result = argz_append(envz, n, text, whole);
  free(text);
  return result;
}
int envz_merge(char **envz, size_t *n, const char *other, size_t length, int overrides) {
  int result = 0;
  for (const char *entry = NULL; !result && (entry = argz_next(other, length, entry));) {
    char *old = envz_entry(*envz, *n, entry);
    if (old && !overrides)
      continue;
    argz_delete(envz, n, old);
    result = argz_add(envz, n, entry);
  }
  return result;
}
void envz_strip(char **envz, size_t *n) {
  char *entry = *envz;
  while (entry && entry < *envz + *n) {
    size_t length = strlen(entry) + 1;
    if (memchr(entry, '=', length)) {
      entry += length;
      continue;
    }
    *n -= length;
    memmove(entry, entry + length, *envz + *n - entry);
  }
}
