// A producer and a consumer share a ring of messages.
#include <pthread.h>
#include <stdio.h>
enum { SLOTS = 64, MESSAGES = 20000, WORDS = 16 };
struct message { unsigned words[WORDS]; };
static struct message ring[SLOTS];
static unsigned head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void *produce(void *arg) {
    (void)arg;
    for (unsigned n = 0; n < MESSAGES; n++) {
        struct message m;
        for (int i = 0; i < WORDS; i++) m.words[i] = n * 31 + i;
        pthread_mutex_lock(&lock);
        while (head - tail == SLOTS) pthread_cond_wait(&changed, &lock);
        ring[head % SLOTS] = m;
        head++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
static void *consume(void *arg) {
    unsigned long s = 0;
    for (unsigned n = 0; n < MESSAGES; n++) {
        pthread_mutex_lock(&lock);
        while (head == tail) pthread_cond_wait(&changed, &lock);
        struct message m = ring[tail % SLOTS];
        tail++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < WORDS; i++) s = s * 7 + m.words[i];
    }
    *(unsigned long *)arg = s;
    return 0;
}
int main(void) {
    pthread_t p, c;
    unsigned long s = 0;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, &s);
    pthread_join(p, 0);
    pthread_join(c, 0);
    printf("%lu\n", s);
}
