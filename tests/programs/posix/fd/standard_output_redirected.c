//@ native: yes
// What is duplicated over descriptor 1 takes printf's output until the old one is put back.
#include "../check.h"

int main(void) {
  printf("before\n");
  fflush(stdout);
  int saved = dup(1), file = open("file", O_RDWR | O_CREAT, 0600);
  dup2(file, 1);
  close(file);
  printf("inside\n");
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  printf("after\n");
  cat("file");
  return 0;
}
