// Lines that threads print to one stream stay whole; flockfile joins several calls.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, LINES = 10 };

static FILE *file;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int i = 0; i < LINES; i++) {
    fprintf(file, "%d says %d and %s\n", me, i, "nothing else");
    sched_yield();
    flockfile(file);
    fprintf(file, "%d ", me);
    sched_yield();
    fputs("in two ", file);
    sched_yield();
    fprintf(file, "parts %d\n", i);
    funlockfile(file);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  file = fopen("lines", "w+");
  for (intptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  rewind(file);
  char line[128], expected[128];
  int whole[THREADS] = {0}, parts[THREADS] = {0}, wrong = 0;
  while (fgets(line, sizeof line, file)) {
    int me = line[0] - '0';
    if (me < 0 || me >= THREADS) {
      wrong++;
      continue;
    }
    snprintf(expected, sizeof expected, "%d says %d and nothing else\n", me, whole[me]);
    if (strcmp(line, expected) == 0) {
      whole[me]++;
      continue;
    }
    snprintf(expected, sizeof expected, "%d in two parts %d\n", me, parts[me]);
    wrong += strcmp(line, expected) != 0;
    parts[me]++;
  }
  for (int i = 0; i < THREADS; i++)
    printf("%d %d, ", whole[i], parts[i]);
  printf("wrong %d, try %d\n", wrong, ftrylockfile(file));
  fclose(file);
  unlink("lines");
  return 0;
}
