/* A file of settings: sections in brackets, `key=value` in lines, comments behind a semicolon. */
#include "input.h"

#ifndef SIZE
#define SIZE 5
#endif

struct settings {
  char section[8];
  int sections;
  int keys;
  int comments;
  size_t key_length;
  size_t value_length;
  int bad;
};

static char *trim(char *text) {
  text += strspn(text, " ");
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == ' ')
    text[--length] = '\0';
  return text;
}

static void setting(struct settings *settings, char *text) {
  char *comment = strchr(text, ';');
  if (comment != NULL) {
    *comment = '\0';
    settings->comments++;
  }
  text = trim(text);
  if (text[0] == '\0')
    return;
  if (text[0] == '[') {
    char *close = strchr(text, ']');
    if (close == NULL || close == text + 1 || close[1] != '\0') {
      settings->bad++;
      return;
    }
    *close = '\0';
    strcpy(settings->section, text + 1);
    settings->sections++;
    return;
  }
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    settings->bad++;
    return;
  }
  *equals = '\0';
  settings->keys++;
  settings->key_length += strlen(trim(text));
  settings->value_length += strlen(trim(equals + 1));
}

int main(void) {
  char *text = symbolic_input(SIZE);
  struct settings settings = {"", 0, 0, 0, 0, 0, 0};
  while (text != NULL) {
    char *end = strchr(text, '\n');
    if (end != NULL)
      *end++ = '\0';
    setting(&settings, text);
    text = end;
  }
  printf("sections %d last %d keys %d comments %d lengths %d %d bad %d\n", plain(settings.sections),
         plain(strlen(settings.section)), plain(settings.keys), plain(settings.comments),
         plain(settings.key_length), plain(settings.value_length), plain(settings.bad));
  return 0;
}
