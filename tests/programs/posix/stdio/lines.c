//@ native: yes
// fgets, getline and getdelim on lines that are empty, long, without an end, and with zeros inside.
#include "../check.h"

int main(void) {
  FILE *f = fopen("file", "w");
  fputs("first\n\n", f);
  for (int i = 0; i < 300; i++)
    fputc('a' + i % 26, f);
  fputc('\n', f);
  fwrite("a\0b\n", 1, 4, f);
  fputs("last", f);
  fclose(f);
  char *line = 0;
  size_t size = 0;
  f = fopen("file", "r");
  for (ssize_t n; (n = getline(&line, &size, f)) >= 0;)
    printf("%zd [%.10s] fits %d\n", n, line, size > (size_t)n);
  printf("end %d error %d\n", feof(f) != 0, ferror(f) != 0);
  rewind(f);
  NUM(getdelim(&line, &size, 's', f));
  puts(line);
  free(line);
  char text[8];
  while (fgets(text, sizeof text, f))
    fputs(text[0] == '\n' ? "-" : text[0] == 't' ? "t" : ".", stdout);
  puts("");
  fclose(f);
  f = fopen("file", "r");
  NUM(fgets(text, 1, f) == text && text[0] == 0);
  IS(fgets(text, 3, f) != 0);
  puts(text);
  fclose(f);
  return 0;
}
