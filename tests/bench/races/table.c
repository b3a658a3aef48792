// Two threads fill and read hash tables of their own with many small accesses, and share one of locked buckets.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { BUCKETS = 1024, KEYS = 4000, ROUNDS = 12, LOCKS = 8 };
struct entry { struct entry *next; unsigned key, count; };
static struct entry *own[2][BUCKETS];
static struct entry *shared[BUCKETS];
static pthread_mutex_t locks[LOCKS];
static unsigned hash(unsigned k) { k ^= k >> 16; k *= 0x45d9f3b; k ^= k >> 16; return k % BUCKETS; }
static void bump(struct entry **table, unsigned key) {
    unsigned h = hash(key);
    struct entry *e = table[h];
    while (e && e->key != key) e = e->next;
    if (!e) {
        e = malloc(sizeof *e);
        e->key = key; e->count = 0; e->next = table[h];
        table[h] = e;
    }
    e->count++;
}
static void *run(void *arg) {
    long me = (long)arg;
    unsigned x = 12345 + me;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < KEYS; i++) {
            x = x * 1664525u + 1013904223u;
            bump(own[me], (x >> 8) % KEYS);
            if (i % 16 == 0) {
                unsigned key = (x >> 8) % 512;
                pthread_mutex_t *lock = &locks[hash(key) % LOCKS];
                pthread_mutex_lock(lock);
                bump(shared, key);
                pthread_mutex_unlock(lock);
            }
        }
    return 0;
}
int main(void) {
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], 0);
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    unsigned long n = 0;
    for (int i = 0; i < BUCKETS; i++) for (struct entry *e = shared[i]; e; e = e->next) n += e->count;
    printf("%lu\n", n);
}
