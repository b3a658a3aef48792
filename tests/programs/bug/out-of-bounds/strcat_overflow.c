// strcat runs over the end of a buffer that the first string nearly fills.
#include <string.h>

char buffer[10] = "12345678";
const char *volatile tail = "90";

int main(void) {
  strcat(buffer, tail); // expect: bug out-of-bounds
  return buffer[0];
}
