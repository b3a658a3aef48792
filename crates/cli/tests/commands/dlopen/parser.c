/* A plugin with a bug that some inputs reach. */
static int table[4] = {1, 2, 3, 4};

int parse(const unsigned char *bytes, int length) {
  int total = 0;
  for (int i = 0; i < length; i++) {
    if (bytes[i] == 'x') return -1;
    if (bytes[i] >= '0' && bytes[i] < '5') total += table[bytes[i] - '0'];
  }
  return total;
}
