/* Joins the lines of files: the first lines of all of them, the second lines, and so on, with delimiters in between
 * that are taken from a list in turn. A backslash in the list makes the next character special.
 *
 * Arguments: the files, `-d` and the list. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 4, NO_DELIMITER = 0 };

/* The delimiters, one of which may be none at all. */
struct delimiters {
  char *list;
  int count;
};

/* Reads a list of delimiters. */
static struct delimiters collapse_escapes(const char *text) {
  struct delimiters delimiters = {malloc(strlen(text) + 1), 0};
  char *to = delimiters.list;
  assert(to != NULL);
  while (*text != 0) {
    if (*text != '\\') {
      *to++ = *text++;
      continue;
    }
    text++;
#ifdef REPAIRED
    if (*text == 0) {
      fprintf(stderr, "paste: the list ends with a backslash\n");
      exit(1);
    }
#endif
    switch (*text++) {
    case '0':
      *to++ = NO_DELIMITER;
      break;
    case 'n':
      *to++ = '\n';
      break;
    case 't':
      *to++ = '\t';
      break;
    default:
      *to++ = text[-1];
    }
  }
  delimiters.count = to - delimiters.list;
  return delimiters;
}

/* Writes a line of a file without its end. Returns 0 if there is none. */
static int write_line(FILE *file) {
  int character = getc(file);
  if (character == EOF) return 0;
  for (; character != EOF && character != '\n'; character = getc(file)) putchar(character);
  return 1;
}

static void paste(FILE **files, int count, const struct delimiters *delimiters) {
  for (int is_any = 1; is_any;) {
    is_any = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && delimiters->count > 0) {
        char delimiter = delimiters->list[(i - 1) % delimiters->count];
        if (delimiter != NO_DELIMITER) putchar(delimiter);
      }
      is_any |= write_line(files[i]);
    }
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  FILE *files[FILES_MAX];
  int count = 0;
  char *list = strdup("\\t");
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
      free(list);
      list = strdup(argv[++i]);
    } else if (count < FILES_MAX) {
      files[count] = fopen(argv[i], "r");
      if (files[count++] == NULL) {
        perror(argv[i]);
        return 1;
      }
    }
  }
  assert(list != NULL);
  struct delimiters delimiters = collapse_escapes(list);
  paste(files, count, &delimiters);
  free(list);
  free(delimiters.list);
  return 0;
}
