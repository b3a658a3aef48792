// Calling the address of a variable.
int data[4];
void *volatile target = data;

int main(void) {
  ((void (*)(void))target)(); // expect: bug out-of-bounds
  return 0;
}
