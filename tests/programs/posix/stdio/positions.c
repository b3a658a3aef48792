//@ native: yes
// fseek, ftell, rewind, fgetpos and fsetpos agree with what was read, written and put back.
#include "../check.h"

int main(void) {
  put("file", "0123456789");
  FILE *f = fopen("file", "r+");
  printf("%c", getc(f));
  printf("%c ", getc(f));
  NUM(ftell(f));
  SHOW(fseek(f, 3, SEEK_CUR));
  printf("%c\n", getc(f));
  SHOW(fseek(f, -2, SEEK_END));
  printf("%c\n", getc(f));
  fpos_t here;
  SHOW(fgetpos(f, &here));
  SHOW(fseek(f, 100, SEEK_SET));
  NUM(getc(f));
  NUM(feof(f) != 0);
  SHOW(fsetpos(f, &here));
  NUM(feof(f));
  printf("%c\n", getc(f));
  SHOW(fseek(f, -1, SEEK_SET));
  SHOW(fseek(f, 0, 99));
  NUM(ftell(f));
  rewind(f);
  NUM(ftell(f));
  ungetc('x', f);
  printf("%c", getc(f));
  printf("%c\n", getc(f));
  SHOW(fseek(f, 0, SEEK_CUR));
  fputs("AB", f);
  NUM(ftell(f));
  SHOW(fseek(f, 0, SEEK_CUR));
  printf("%c\n", getc(f));
  SHOW(fseeko(f, 12, SEEK_SET));
  fputc('!', f);
  SHOW(ftello(f));
  fclose(f);
  cat("file");
  int pair[2];
  need(pipe(pair) == 0, "pipe");
  f = fdopen(pair[0], "r");
  SHOW(fseek(f, 0, SEEK_SET));
  SHOW(ftell(f));
  fclose(f);
  return close(pair[1]);
}
