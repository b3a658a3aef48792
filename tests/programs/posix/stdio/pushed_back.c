//@ native: yes
// ungetc gives a byte back once more, ends the end of file, and is undone by a seek.
#include "../check.h"

int main(void) {
  put("file", "ab");
  FILE *f = fopen("file", "r");
  int c = getc(f);
  NUM(ungetc('X', f) == 'X');
  printf("%c", getc(f));
  printf("%c", getc(f));
  NUM(getc(f));
  NUM(feof(f) != 0);
  NUM(ungetc(c, f) == 'a');
  NUM(feof(f));
  printf("%c", getc(f));
  NUM(getc(f));
  NUM(ungetc(EOF, f));
  rewind(f);
  ungetc('Y', f);
  NUM(fseek(f, 1, SEEK_SET));
  printf("%c\n", getc(f));
  return fclose(f);
}
