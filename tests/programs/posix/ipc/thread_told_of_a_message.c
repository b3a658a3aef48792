// A thread is told of a message that comes to an empty queue, once; other ways to be told are refused meanwhile.
#include "../check.h"
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t told;
static mqd_t queue;

static void come(union sigval value) {
  char text[64];
  ssize_t size = mq_receive(queue, text, sizeof text, NULL);
  printf("told with %d: %.*s\n", value.sival_int, (int)size, text);
  sem_post(&told);
}

int main(void) {
  need(sem_init(&told, 0, 0) == 0, "sem_init");
  struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 64};
  mq_unlink("/everett-told");
  queue = mq_open("/everett-told", O_RDWR | O_CREAT, 0600, &attributes);
  need(queue >= 0, "mq_open");
  struct sigevent wish = {.sigev_notify = SIGEV_THREAD};
  wish.sigev_notify_function = come;
  wish.sigev_value.sival_int = 7;
  SHOW(mq_notify(queue, &wish));
  struct sigevent other = {.sigev_notify = SIGEV_NONE};
  SHOW(mq_notify(queue, &other));
  need(mq_send(queue, "one", 3, 0) == 0, "mq_send");
  sem_wait(&told);
  // The wish was for one message.
  SHOW(mq_send(queue, "two", 3, 0));
  char text[64];
  SHOW(mq_receive(queue, text, sizeof text, NULL));
  SHOW(mq_notify(queue, &wish));
  need(mq_send(queue, "three", 5, 0) == 0, "mq_send");
  sem_wait(&told);
  SHOW(mq_notify(queue, &wish));
  // It is taken back, and nobody is told.
  SHOW(mq_notify(queue, NULL));
  SHOW(mq_send(queue, "four", 4, 0));
  struct sigevent bad = {.sigev_notify = 77};
  SHOW(mq_notify(queue, &bad));
  SHOW(mq_unlink("/everett-told"));
  return 0;
}
