// Message queues of POSIX: priorities, limits, waiting, signals, poll.
#include "../check.h"
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static volatile sig_atomic_t told;

static void on_message(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  told = info->si_code == SI_MESGQ ? info->si_value.sival_int : -1;
}

static void take(mqd_t queue) {
  char text[32];
  unsigned priority = 99;
  ssize_t count = mq_receive(queue, text, sizeof text, &priority);
  if (count < 0)
    printf("%s\n", errno_name(errno));
  else
    printf("%u: %.*s\n", priority, (int)count, text);
}

int main(void) {
  char name[32];
  snprintf(name, sizeof name, "/everett-%d", getpid());
  struct mq_attr small = {.mq_maxmsg = 3, .mq_msgsize = 32};
  OK(mq_open(name, O_RDWR));
  OK(mq_open("/", O_RDWR | O_CREAT, 0600, &small));
  OK(mq_open("/a/b", O_RDWR | O_CREAT, 0600, &small));
  struct mq_attr bad = {.mq_maxmsg = 0, .mq_msgsize = 1};
  OK(mq_open(name, O_RDWR | O_CREAT, 0600, &bad));
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600, &small);
  IS(queue >= 0);
  OK(mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &small));
  IS(fcntl(queue, F_GETFD) == FD_CLOEXEC);

  take(queue);
  struct pollfd ready = {.fd = queue, .events = POLLIN | POLLOUT};
  SHOW(poll(&ready, 1, 0));
  IS(ready.revents == POLLOUT);
  SHOW(mq_send(queue, "low", 3, 1));
  SHOW(mq_send(queue, "high", 4, 7));
  SHOW(mq_send(queue, "low again", 9, 1));
  SHOW(mq_send(queue, "full", 4, 1));
  SHOW(poll(&ready, 1, 0));
  IS(ready.revents == POLLIN);
  SHOW(mq_send(queue, name, 33, 1));
  SHOW(mq_send(queue, "x", 1, 32768));
  struct mq_attr now;
  SHOW(mq_getattr(queue, &now));
  printf("%ld %ld %ld %s\n", now.mq_maxmsg, now.mq_msgsize, now.mq_curmsgs,
         now.mq_flags == O_NONBLOCK ? "nonblocking" : "blocking");
  char few[4];
  SHOW(mq_receive(queue, few, sizeof few, 0));
  take(queue);
  take(queue);
  take(queue);

  // The process is told once of a message that comes to the empty queue.
  struct sigaction action = {.sa_sigaction = on_message, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  event.sigev_value.sival_int = 17;
  SHOW(mq_notify(queue, &event));
  SHOW(mq_notify(queue, &event));
  SHOW(mq_send(queue, "first", 5, 0));
  NUM(told);
  told = 0;
  SHOW(mq_send(queue, "second", 6, 0));
  NUM(told);
  take(queue);
  take(queue);
  SHOW(mq_notify(queue, &event));
  SHOW(mq_notify(queue, 0));
  // To close any descriptor of the queue is to forget the wish.
  SHOW(mq_notify(queue, &event));
  OK(mq_close(mq_open(name, O_RDONLY)));
  SHOW(mq_notify(queue, &event));
  SHOW(mq_notify(queue, 0));

  mqd_t patient = mq_open(name, O_RDONLY);
  IS(patient >= 0);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec = (deadline.tv_nsec + 1000000) % 1000000000;
  deadline.tv_sec += deadline.tv_nsec < 1000000;
  char text[32];
  SHOW(mq_timedreceive(patient, text, sizeof text, 0, &deadline));
  SHOW(mq_send(patient, "x", 1, 0));
  pid_t child = fork();
  if (child == 0) {
    ssize_t count = mq_receive(patient, text, sizeof text, 0);
    _exit(count == 5 && memcmp(text, "child", 5) == 0 ? 3 : 4);
  }
  usleep(10000);
  SHOW(mq_send(queue, "child", 5, 0));
  int status;
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));

  SHOW(mq_unlink(name));
  SHOW(mq_unlink(name));
  OK(mq_open(name, O_RDWR));
  SHOW(mq_send(queue, "without a name", 14, 0));
  take(patient);
  SHOW(mq_close(queue));
  SHOW(mq_close(patient));
  SHOW(mq_send(queue, "x", 1, 0));
  return 0;
}
