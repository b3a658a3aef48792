//@ native: yes
// fread and fwrite count whole elements, also across the buffer.
#include "../check.h"

static int numbers[5000], back[5000];

int main(void) {
  for (int i = 0; i < 5000; i++)
    numbers[i] = i * i;
  FILE *f = fopen("file", "w+");
  NUM(fwrite(numbers, sizeof(int), 5000, f));
  rewind(f);
  NUM(fread(back, sizeof(int), 10, f));
  NUM(fread(back + 10, sizeof(int), 6000 - 1010, f));
  NUM(memcmp(numbers, back, sizeof back));
  NUM(fread(back, sizeof(int), 1, f));
  fseek(f, -6, SEEK_END);
  NUM(fread(back, sizeof(int), 2, f));
  NUM(feof(f) != 0);
  NUM(fread(back, 0, 5, f));
  NUM(fwrite(back, 5, 0, f));
  return fclose(f);
}
