// Spin locks: EBUSY for a try, and a thread that spins while the holder sleeps still gets its turn.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_spinlock_t lock;
static int total;

static void *work(void *none) {
  for (int i = 0; i < 20; i++) {
    pthread_spin_lock(&lock);
    total++;
    pthread_spin_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  printf("%d\n", pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
  printf("%d\n", pthread_spin_trylock(&lock));
  pthread_create(&thread, NULL, work, NULL);
  usleep(3000);
  int seen = total;
  pthread_spin_unlock(&lock);
  for (int i = 0; i < 20; i++) {
    pthread_spin_lock(&lock);
    total++;
    pthread_spin_unlock(&lock);
  }
  pthread_join(thread, NULL);
  printf("%d %d\n", seen, total);
  pthread_spin_lock(&lock);
  printf("%s\n", pthread_spin_trylock(&lock) == EBUSY ? "EBUSY" : "other");
  pthread_spin_unlock(&lock);
  printf("%d\n", pthread_spin_destroy(&lock));
  return 0;
}
