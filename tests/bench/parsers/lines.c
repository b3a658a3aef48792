/* Commands in lines, as a mail or a chat server reads them: each line ends with a newline, may have a
 * carriage return before it, and has a verb of one letter and an argument. */
#include "input.h"

#ifndef SIZE
#define SIZE 6
#endif

struct session {
  char name[8];
  int greeted;
  int messages;
  int errors;
};

static void execute(struct session *session, const char *line, size_t length) {
  char argument[16];
  if (length < 1) {
    session->errors++;
    return;
  }
  strcpy(argument, length > 1 ? line + 1 : "");
  switch (line[0]) {
  case 'H':
    if (argument[0] == '\0' || strlen(argument) >= sizeof session->name) {
      session->errors++;
      break;
    }
    strcpy(session->name, argument);
    session->greeted = 1;
    break;
  case 'M':
    if (!session->greeted)
      session->errors++;
    else
      session->messages++;
    break;
  case 'Q':
    session->greeted = 0;
    break;
  default:
    session->errors++;
  }
}

int main(void) {
  char *rest = symbolic_input(SIZE);
  size_t left = SIZE;
  struct session session = {"", 0, 0, 0};
  int lines = 0;
  while (left > 0) {
    char *end = memchr(rest, '\n', left);
    if (end == NULL)
      break;
    char line[16];
    size_t length = end - rest;
    memcpy(line, rest, length);
    line[length] = '\0';
    if (length > 0 && line[length - 1] == '\r')
      line[--length] = '\0';
    execute(&session, line, length);
    lines++;
    left -= end + 1 - rest;
    rest = end + 1;
  }
  printf("lines %d greeted %d name %d messages %d errors %d left %d\n", plain(lines), plain(session.greeted),
         plain(strlen(session.name)), plain(session.messages), plain(session.errors), plain(left));
  return 0;
}
