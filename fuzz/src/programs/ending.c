
/* A branch on each bit, whatever the optimiser thinks of it. */
__attribute__((noinline, optnone)) static char digit(u32 bit) {
  if (bit) return '1';
  return '0';
}

/* Natively: the results for all values, as numbers of 32 bits. */
static void try_all(unsigned which) {
  u32 count = bytes_of[which] == 1 ? 256 : 65536;
  native = 1;
  for (volatile u32 value = 0; value < count; value++) {
    u32 result;
    if (setjmp(failure) == 0)
      result = programs[which]((u8)value, (u8)(value >> 8)) & 0x7fffffff;
    else
      result = 0x80000000u | (u32)failed;
    fwrite(&result, sizeof result, 1, stdout);
  }
}

int main(int argc, char **argv) {
  unsigned which = (unsigned)atoi(argv[1]);
  if (argc > 2) {
    try_all(which);
    return 0;
  }
  u8 input[2] = {0, 0};
  klee_make_symbolic(input, bytes_of[which], "input");
  u32 result = programs[which](input[0], input[1]) & 0x7fffffff;
  if (bytes_of[which] == 1) {
    static u32 expected[256];
    if (fread(expected, sizeof expected, 1, stdin) != 1) return 3;
    if (expected[input[0]] != result) {
      write(1, "wrong\n", 6);
      return 4;
    }
  }
  char line[9];
  for (int i = 0; i < DIGITS; i++) line[i] = digit(result >> i & 1);
  line[DIGITS] = '\n';
  write(1, line, DIGITS + 1);
  return 0;
}
