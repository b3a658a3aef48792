/* Vectors of strings in one piece of memory, each with its end: argz_add(3). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *argz_next(const char *argz, size_t n, const char *entry) {
  if (!entry)
    return n > 0 ? (char *)argz : NULL;
  entry += strlen(entry) + 1;
  return entry < argz + n ? (char *)entry : NULL;
}
char *__argz_next(const char *argz, size_t n, const char *entry) { return argz_next(argz, n, entry); }

size_t argz_count(const char *argz, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += !argz[i];
  return count;
}
size_t __argz_count(const char *argz, size_t n) { return argz_count(argz, n); }

int argz_append(char **argz, size_t *n, const char *more, size_t length) {
  char *grown = realloc(*argz, *n + length);
  if (!grown && *n + length)
    return ENOMEM;
  if (length)
    memcpy(grown + *n, more, length);
  *argz = grown;
  *n += length;
  return 0;
}
int argz_add(char **argz, size_t *n, const char *text) { return argz_append(argz, n, text, strlen(text) + 1); }

/* A run of separators is one, and none begins the first entry. One at the end begins an empty entry. */
int argz_add_sep(char **argz, size_t *n, const char *text, int separator) {
  size_t length = strlen(text) + 1;
  if (length == 1)
    return 0;
  char *grown = realloc(*argz, *n + length);
  if (!grown)
    return ENOMEM;
  char *to = grown + *n;
  for (; length > 0; length--, text++) {
    int ends = *text == (char)separator && length > 1;
    if (!ends || (to > grown && to[-1]))
      *to++ = ends ? 0 : *text;
  }
  *argz = grown;
  *n = to - grown;
  return 0;
}
int argz_create_sep(const char *text, int separator, char **argz, size_t *n) {
  *argz = NULL;
  *n = 0;
  return argz_add_sep(argz, n, text, separator);
}
int argz_create(char *const words[], char **argz, size_t *n) {
  *argz = NULL;
  *n = 0;
  int result = 0;
  for (; *words && !result; words++)
    result = argz_add(argz, n, *words);
  return result;
}

void argz_extract(const char *argz, size_t n, char **words) {
  for (const char *entry = 0; (entry = argz_next(argz, n, entry));)
    *words++ = (char *)entry;
  *words = NULL;
}

void argz_stringify(char *argz, size_t n, int separator) {
  for (size_t i = 0; i + 1 < n; i++)
    if (!argz[i])
      argz[i] = separator;
}
void __argz_stringify(char *argz, size_t n, int separator) { argz_stringify(argz, n, separator); }

void argz_delete(char **argz, size_t *n, char *entry) {
  if (!entry)
    return;
  size_t length = strlen(entry) + 1;
  *n -= length;
  memmove(entry, entry + length, *argz + *n - entry);
  if (*n == 0) {
    free(*argz);
    *argz = NULL;
  }
}

int argz_insert(char **argz, size_t *n, char *before, const char *text) {
  if (!before)
    return argz_add(argz, n, text);
  if (before < *argz || before >= *argz + *n)
    return EINVAL;
  /* Before the entry that this place is part of. */
  while (before > *argz && before[-1])
    before--;
  size_t at = before - *argz, length = strlen(text) + 1, left = *n - at;
  char *grown = realloc(*argz, *n + length);
  if (!grown)
    return ENOMEM;
  memmove(grown + at + length, grown + at, left);
  memcpy(grown + at, text, length);
  *argz = grown;
  *n += length;
  return 0;
}

int argz_replace(char **argz, size_t *n, const char *what, const char *with, unsigned *count) {
  size_t length = strlen(what);
  if (length == 0)
    return 0;
  char *made = NULL;
  size_t size = 0;
  /* Entries that have changed. */
  unsigned found = 0;
  for (const char *entry = NULL; (entry = argz_next(*argz, *n, entry));) {
    const char *from = entry, *at;
    found += strstr(entry, what) != NULL;
    for (; (at = strstr(from, what)); from = at + length)
      if (argz_append(&made, &size, from, at - from) || argz_append(&made, &size, with, strlen(with)))
        goto no_memory;
    if (argz_add(&made, &size, from))
      goto no_memory;
  }
  if (found) {
    free(*argz);
    *argz = made;
    *n = size;
    if (count)
      *count += found;
  } else
    free(made);
  return 0;
no_memory:
  free(made);
  return ENOMEM;
}
