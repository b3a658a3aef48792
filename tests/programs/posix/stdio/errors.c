//@ native: yes
// A stream remembers errors and the end until clearerr; a full device shows at flush or close.
#include "../check.h"

int main(void) {
  char text[4];
  put("file", "ab");
  FILE *f = fopen("file", "r");
  NUM(fread(text, 1, 4, f));
  printf("%d %d\n", feof(f) != 0, ferror(f) != 0);
  NUM(fputc('x', f));
  NUM(ferror(f) != 0);
  clearerr(f);
  printf("%d %d\n", feof(f) != 0, ferror(f) != 0);
  NUM(fread(text, 1, 4, f));
  fclose(f);
  f = fopen("file", "w");
  NUM(getc(f));
  NUM(ferror(f) != 0);
  SHOW(fclose(f));
  f = fopen("/dev/full", "w");
  NUM(fputs("text", f) >= 0);
  SHOW(fflush(f));
  NUM(ferror(f) != 0);
  fclose(f);
  f = fopen("/dev/full", "w");
  fputs("text", f);
  SHOW(fclose(f));
  f = fopen(".", "r");
  need(f != 0, "fopen");
  NUM(getc(f));
  printf("%s, error %d\n", errno_name(errno), ferror(f) != 0);
  fclose(f);
  return 0;
}
