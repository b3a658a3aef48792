// After fork each process has its own globals, stack, heap and private mappings, and keeps its values.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int global = 1;

int main(void) {
  int local = 2;
  char *heap = strdup("heap"),
       *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile int *pointer = &local;
  strcpy(map + 4000, "private mapping");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    printf("child starts: %d %d %s %s\n", global, *pointer, heap, map + 4000);
    global = 10;
    *pointer = 20;
    strcpy(heap, "HEAP");
    strcpy(map + 4000, "changed");
    heap = realloc(heap, 100000);
    heap[99999] = 'x';
    printf("child ends: %d %d %.4s %s\n", global, *pointer, heap, map + 4000);
    free(heap);
    munmap(map, 8192);
    exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  printf("parent: %d %d %s %s, %d\n", global, *pointer, heap, map + 4000, status);
  global = 5;
  fflush(stdout);
  if ((child = fork()) == 0) {
    printf("second child: %d\n", global);
    fflush(stdout);
    if (fork() == 0) {
      global++;
      printf("grandchild: %d\n", global);
      fflush(stdout);
      _exit(global);
    }
    wait(&status);
    printf("second child: %d, %d\n", global, WEXITSTATUS(status));
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, &status, 0);
  free(heap);
  return 0;
}
