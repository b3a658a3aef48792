// An atomic operation on a null pointer.
int *volatile p;

int main(void) {
  int *q = p;
  __atomic_fetch_add(q, 1, __ATOMIC_SEQ_CST); // expect: bug null-pointer
  return 0;
}
