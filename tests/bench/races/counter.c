// Two threads add to a counter under a mutex.
#include <pthread.h>
#include <stdio.h>
enum { ROUNDS = 20000, WORK = 60 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long counter;
static unsigned work(unsigned x) { for (int i = 0; i < WORK; i++) x = x * 1664525u + 1013904223u; return x; }
static void *add(void *arg) {
    unsigned x = (unsigned)(long)arg;
    for (int i = 0; i < ROUNDS; i++) {
        x = work(x);
        pthread_mutex_lock(&lock);
        counter += x & 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, add, (void *)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    printf("%lu\n", counter);
}
