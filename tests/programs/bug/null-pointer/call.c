// Calling a null function pointer.
void (*volatile callback)(void);

int main(void) {
  callback(); // expect: bug null-pointer
  return 0;
}
