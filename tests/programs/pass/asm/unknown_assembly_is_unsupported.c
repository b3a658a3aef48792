//@ exit: 2
//@ unsupported: inline assembly
// Assembly outside the known idioms stops the path with a message that names this place.
int main(void) {
  unsigned low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
  return (int)(low + high) & 1;
}
