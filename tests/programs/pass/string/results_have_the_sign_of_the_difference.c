// Bytes compare as unsigned characters, and the result is their difference.
#include <assert.h>
#include <string.h>
#include <strings.h>

char low[] = "a\x01", high[] = "a\xff", upper[] = "A\xff", punct[] = "a[";
volatile size_t n = 2;

int main(void) {
  assert(strcmp(low, high) == 1 - 255);
  assert(memcmp(high, low, n) == 254);
  assert(strncmp(high, low, n) == 254);
  assert(strcasecmp(upper, high) == 0);
  assert(strncasecmp(upper, low, 1) == 0);
  assert(strcasecmp(upper, low) == 254);
  assert(strcasecmp(punct, "A{") == '[' - '{');
  assert(strcmp(low, "a") == 1 && strcmp("", low) == -'a');
  return 0;
}
