// strlcpy and strlcat terminate what they cut, and tell the length that there would have been.
#include <assert.h>
#include <string.h>

char word[] = "word";

int main(void) {
  char to[8];
  memset(to, '#', sizeof to);
  assert(strlcpy(to, word, 0) == 4 && to[0] == '#');
  assert(strlcpy(to, word, 1) == 4 && to[0] == 0 && to[1] == '#');
  assert(strlcpy(to, word, 3) == 4 && !strcmp(to, "wo") && to[3] == '#');
  assert(strlcpy(to, word, 5) == 4 && !strcmp(to, "word") && to[5] == '#');
  assert(strlcpy(to, word, sizeof to) == 4 && to[5] == '#');
  assert(strlcat(to, word, sizeof to) == 8 && !strcmp(to, "wordwor"));
  assert(strlcat(to, word, 3) == 7);
  to[2] = 0;
  assert(strlcat(to, word, sizeof to) == 6 && !strcmp(to, "woword"));
  return 0;
}
