/* Runs a command as another user, if the rules allow it. In the shell mode the front end puts a backslash before
 * special characters of the arguments; the part that knows the rules takes them out again, since rules are about the
 * words as they were written. Editing (`-e`) has no command line that would be escaped, but the shell mode may be
 * asked for. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODE_RUN = 1, MODE_EDIT = 2, MODE_SHELL = 4 };

struct settings {
  int mode;
  char **words;
  int count;
};

/* A word with a backslash before each special character. */
static char *escape(const char *word) {
  char *escaped = malloc(2 * strlen(word) + 1), *to = escaped;
  assert(escaped != NULL);
  for (; *word != 0; word++) {
    if (!isalnum((unsigned char)*word) && strchr("_-$", *word) == NULL) *to++ = '\\';
    *to++ = *word;
  }
  *to = 0;
  return escaped;
}

/* Reads the command line. Returns 0 if it makes no sense. */
static int parse_args(int argc, char **argv, struct settings *settings) {
  int at = 1;
  settings->mode = MODE_RUN;
  for (; at < argc && argv[at][0] == '-'; at++) {
    if (strcmp(argv[at], "-e") == 0)
      settings->mode = (settings->mode & ~MODE_RUN) | MODE_EDIT;
    else if (strcmp(argv[at], "-s") == 0)
      settings->mode |= MODE_SHELL;
    else
      return 0;
  }
#ifdef REPAIRED
  if ((settings->mode & MODE_EDIT) && (settings->mode & MODE_SHELL)) return 0;
#endif
  settings->count = argc - at;
  settings->words = calloc(settings->count + 1, sizeof *settings->words);
  assert(settings->words != NULL);
  int is_escaped = (settings->mode & MODE_RUN) && (settings->mode & MODE_SHELL);
  for (int i = 0; i < settings->count; i++)
    settings->words[i] = is_escaped ? escape(argv[at + i]) : strdup(argv[at + i]);
  return settings->count > 0;
}

/* The words as one text, as rules see them. */
static char *joined_words(const struct settings *settings) {
  size_t size = 1;
  for (int i = 0; i < settings->count; i++) size += strlen(settings->words[i]) + 1;
  char *text = malloc(size), *to = text;
  assert(text != NULL);
  for (int i = 0; i < settings->count; i++) {
    const char *from = settings->words[i];
    if (settings->mode & MODE_SHELL) {
      while (*from != 0) {
        if (from[0] == '\\' && !isspace((unsigned char)from[1])) from++;
        *to++ = *from++;
      }
    } else {
      while (*from != 0) *to++ = *from++;
    }
    *to++ = ' ';
  }
  *to = 0;
  return text;
}

int main(int argc, char **argv) {
  struct settings settings;
  if (!parse_args(argc, argv, &settings)) {
    fprintf(stderr, "usage: sudo [-e] [-s] word ...\n");
    return 1;
  }
  char *text = joined_words(&settings);
  printf("%s\n", strncmp(text, "ls ", 3) == 0 ? "allowed" : "denied");
  free(text);
  for (int i = 0; i < settings.count; i++) free(settings.words[i]);
  free(settings.words);
  return 0;
}
