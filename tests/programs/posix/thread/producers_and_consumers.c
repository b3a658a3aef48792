// A bounded buffer between three producers and two consumers: everything arrives once, in each one's order.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { ROOM = 4, PRODUCERS = 3, CONSUMERS = 2, EACH = 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], head, count, fullest;

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (count == ROOM)
    pthread_cond_wait(&not_full, &mutex);
  buffer[(head + count++) % ROOM] = item;
  if (count > fullest)
    fullest = count;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0)
    pthread_cond_wait(&not_empty, &mutex);
  int item = buffer[head];
  head = (head + 1) % ROOM;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}

static void *produce(void *argument) {
  for (int i = 0; i < EACH; i++)
    put((int)(intptr_t)argument * 1000 + i);
  return NULL;
}

struct tally {
  int items, sum, disorder;
};

static void *consume(void *argument) {
  struct tally *tally = argument;
  int last[PRODUCERS] = {-1, -1, -1};
  for (int item; (item = take()) >= 0; tally->items++) {
    tally->sum += item % 1000;
    tally->disorder += item % 1000 <= last[item / 1000];
    last[item / 1000] = item % 1000;
  }
  return NULL;
}

int main(void) {
  pthread_t producers[PRODUCERS], consumers[CONSUMERS];
  struct tally tallies[CONSUMERS] = {{0}};
  for (int i = 0; i < CONSUMERS; i++)
    pthread_create(&consumers[i], NULL, consume, &tallies[i]);
  for (intptr_t i = 0; i < PRODUCERS; i++)
    pthread_create(&producers[i], NULL, produce, (void *)i);
  for (int i = 0; i < PRODUCERS; i++)
    pthread_join(producers[i], NULL);
  for (int i = 0; i < CONSUMERS; i++)
    put(-1);
  for (int i = 0; i < CONSUMERS; i++)
    pthread_join(consumers[i], NULL);
  printf("%d items, sum %d, disorder %d, never overfull %d\n", tallies[0].items + tallies[1].items,
         tallies[0].sum + tallies[1].sum, tallies[0].disorder + tallies[1].disorder, fullest <= ROOM);
  return 0;
}
