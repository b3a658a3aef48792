// Writing to a string literal.
char *volatile text = "constant";

int main(void) {
  text[0] = 'C'; // expect: bug read-only-write
  return 0;
}
