/* What random programs of threads have in common. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "klee/klee.h"

/* Variables, and what the statements of each thread have read. Not static: an optimiser would know who writes them. */
int x[3], results[4][32];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[2];
static unsigned char input;

/* A branch on a bit of the input, whatever the optimiser thinks of it. */
__attribute__((noinline, optnone)) static int has_bit(int bit) {
  if (input >> bit & 1) return 1;
  return 0;
}

#define LOAD(i) __atomic_load_n(&x[i], __ATOMIC_SEQ_CST)
#define STORE(i, v) __atomic_store_n(&x[i], v, __ATOMIC_SEQ_CST)
#define ADD(i, v) __atomic_fetch_add(&x[i], v, __ATOMIC_SEQ_CST)
#define EXCHANGE(i, v) __atomic_exchange_n(&x[i], v, __ATOMIC_SEQ_CST)
#define PLAIN(i) (*(volatile int *)&x[i])

/* Writes a value where another one is expected, and gives what was there. */
static inline __attribute__((always_inline)) int compare_exchange(int i, int expected, int v) {
  __atomic_compare_exchange_n(&x[i], &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

