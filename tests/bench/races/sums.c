// Two threads sum separate halves of an array, under no lock.
#include <pthread.h>
#include <stdio.h>
enum { N = 20000, ROUNDS = 60 };
static int a[2 * N];
static long sums[2];
static void *sum(void *arg) {
    long half = (long)arg;
    int *from = a + half * N;
    long s = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < N; i++) { from[i] += r; s += from[i]; }
    sums[half] = s;
    return 0;
}
int main(void) {
    for (int i = 0; i < 2 * N; i++) a[i] = i;
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, sum, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    printf("%ld %ld\n", sums[0], sums[1]);
}
