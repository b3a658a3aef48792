/* What the programs that are counted have in common: threads that start together and are all waited for. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef void *body(void *number);

/* Starts a thread for each function, with its place in the list as argument, and waits for all of them. */
static inline void run(size_t count, body *const bodies[]) {
  pthread_t threads[16];
  if (count > sizeof threads / sizeof *threads) abort();
  for (size_t i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, bodies[i], (void *)(intptr_t)i) != 0) abort();
  for (size_t i = 0; i < count; i++)
    if (pthread_join(threads[i], NULL) != 0) abort();
}

#define RUN(...) run(sizeof((body *[]){__VA_ARGS__}) / sizeof(body *), (body *const[]){__VA_ARGS__})

#endif
