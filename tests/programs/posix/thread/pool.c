// A pool of threads works off a queue of jobs, some of which add others, then shuts down.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 3 };

struct job {
  struct job *next;
  int from, to;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int pending, stopping, ran;
static long total;

static void add(int from, int to) {
  struct job *job = malloc(sizeof *job);
  job->from = from;
  job->to = to;
  pthread_mutex_lock(&mutex);
  job->next = jobs;
  jobs = job;
  pending++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void run(const struct job *job) {
  long sum = 0;
  if (job->to - job->from > 10) {
    int middle = (job->from + job->to) / 2;
    add(job->from, middle);
    add(middle, job->to);
  } else {
    for (int i = job->from; i < job->to; i++)
      sum += (long)i * i;
  }
  pthread_mutex_lock(&mutex);
  total += sum;
  ran++;
  if (--pending == 0)
    pthread_cond_signal(&idle);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *none) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (!jobs && !stopping)
      pthread_cond_wait(&changed, &mutex);
    struct job *job = jobs;
    if (job)
      jobs = job->next;
    pthread_mutex_unlock(&mutex);
    if (!job)
      return none;
    run(job);
    free(job);
  }
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&workers[i], NULL, work, NULL);
  add(0, 100);
  pthread_mutex_lock(&mutex);
  while (pending)
    pthread_cond_wait(&idle, &mutex);
  printf("%ld after %d jobs\n", total, ran);
  pthread_mutex_unlock(&mutex);
  add(0, 11);
  pthread_mutex_lock(&mutex);
  while (pending)
    pthread_cond_wait(&idle, &mutex);
  stopping = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], NULL);
  printf("%ld after %d jobs\n", total, ran);
  return 0;
}
