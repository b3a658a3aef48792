/* What the nodes of random systems have in common. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "klee/klee.h"

typedef unsigned char u8;

enum { NODES_MAX = 4, DATAGRAM_PORT = 5000, STREAM_PORT = 6000, NO_ANSWER = 255 };

/* Sockets of this node for each peer, and the number of this node. */
static int datagrams[NODES_MAX], listeners[NODES_MAX], self;

/* A branch, whatever the optimiser thinks of it. */
__attribute__((noinline, optnone)) static int decide(u8 condition) {
  if (condition) return 1;
  return 0;
}

/* A branch with an alternative for each value of two bits. */
__attribute__((noinline, optnone)) static u8 choose(u8 value) {
  value &= 3;
  if (value == 0) return 0;
  if (value == 1) return 1;
  if (value == 2) return 2;
  return 3;
}

static void check(int condition) {
  if (!condition) abort();
}

static struct sockaddr_in address(int node, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(0x0a000001 + node);
  return address;
}

static int bound(int type, int port) {
  struct sockaddr_in own = address(self, port);
  int fd = socket(AF_INET, type, 0);
  check(fd >= 0 && bind(fd, (struct sockaddr *)&own, sizeof own) == 0);
  return fd;
}

static void open_sockets(int nodes) {
  for (int peer = 0; peer < nodes; peer++) {
    datagrams[peer] = bound(SOCK_DGRAM, DATAGRAM_PORT + peer);
    listeners[peer] = bound(SOCK_STREAM, STREAM_PORT + peer);
    check(listen(listeners[peer], 4) == 0);
  }
}

static void wait_ms(unsigned ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000l};
  if (ms > 0) check(nanosleep(&time, NULL) == 0);
}

static void send_to(int peer, u8 value) {
  struct sockaddr_in to = address(peer, DATAGRAM_PORT + self);
  check(sendto(datagrams[peer], &value, 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
}

static u8 receive_from(int peer, int timeout_ms) {
  struct timeval time = {timeout_ms / 1000, timeout_ms % 1000 * 1000};
  u8 value;
  check(setsockopt(datagrams[peer], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  ssize_t got = recv(datagrams[peer], &value, 1, 0);
  check(got == 1 || (got == -1 && errno == EAGAIN));
  return got == 1 ? value : NO_ANSWER;
}

static u8 call(int peer, u8 value) {
  struct sockaddr_in to = address(peer, STREAM_PORT + self);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  u8 answer = NO_ANSWER;
  check(fd >= 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
    check(send(fd, &value, 1, MSG_NOSIGNAL) == 1);
    if (recv(fd, &answer, 1, 0) != 1) answer = NO_ANSWER;
  }
  close(fd);
  return answer;
}

/* Accepts a connection and reads its request. */
static int accepted(int peer, u8 *value) {
  int fd = accept(listeners[peer], NULL, NULL);
  check(fd >= 0 && recv(fd, value, 1, 0) == 1);
  return fd;
}

static void answer(int fd, u8 value) {
  check(send(fd, &value, 1, MSG_NOSIGNAL) == 1);
  close(fd);
}

/* What a helper does: it sleeps, sends perhaps, and ends with a value. */
struct errand {
  unsigned ms;
  int peer;
  u8 message, value;
};

static void run_errand(const struct errand *errand) {
  wait_ms(errand->ms);
  if (errand->peer >= 0) send_to(errand->peer, errand->message);
}

static u8 by_process(struct errand errand) {
  int status;
  pid_t child = fork();
  check(child >= 0);
  if (child == 0) {
    run_errand(&errand);
    _exit(errand.value);
  }
  check(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return (u8)WEXITSTATUS(status);
}

static void *thread_main(void *errand) {
  run_errand(errand);
  return (void *)(unsigned long)((struct errand *)errand)->value;
}

static u8 by_thread(struct errand errand) {
  pthread_t thread;
  void *value;
  check(pthread_create(&thread, NULL, thread_main, &errand) == 0);
  check(pthread_join(thread, &value) == 0);
  return (u8)(unsigned long)value;
}

