//@ native: yes
// fmemopen reads and writes a buffer, open_memstream grows one.
#include "../check.h"

int main(void) {
  char buffer[10] = "012345";
  int n;
  FILE *f = fmemopen(buffer, sizeof buffer, "r");
  NUM(fscanf(f, "%3d", &n));
  NUM(n);
  NUM(getc(f) == '3');
  NUM(ftell(f));
  SHOW(fseek(f, 0, SEEK_SET));
  NUM(getc(f) == '0');
  fclose(f);
  f = fmemopen(buffer, sizeof buffer, "w");
  fprintf(f, "%d-%d", 12, 34);
  fflush(f);
  puts(buffer);
  fclose(f);
  f = fmemopen(buffer, sizeof buffer, "a");
  fputs("xy", f);
  fclose(f);
  puts(buffer);
  char *text = 0;
  size_t size = 0;
  f = open_memstream(&text, &size);
  fprintf(f, "hello");
  fflush(f);
  printf("%s %zu\n", text, size);
  for (int i = 0; i < 1000; i++)
    fprintf(f, " %d", i);
  fclose(f);
  printf("%zu %s\n", size, text + size - 8);
  free(text);
  PTR(fmemopen(buffer, 10, "z"));
  return 0;
}
