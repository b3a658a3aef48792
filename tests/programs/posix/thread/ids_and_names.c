// Thread ids: the first thread's is the pid, others differ; tgkill and its errors; the name of a thread.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught += signal_ == SIGUSR1; }

static void *work(void *told) {
  char name[17] = "";
  *(pid_t *)told = (pid_t)syscall(SYS_gettid);
  prctl(PR_SET_NAME, "a name that is too long");
  prctl(PR_GET_NAME, name);
  printf("named %s\n", name);
  return (void *)(intptr_t)(getpid() == *(pid_t *)told);
}

static void say(const char *what, long result) {
  printf("%s: %s\n", what,
         result >= 0       ? "ok"
         : errno == ESRCH  ? "ESRCH"
         : errno == EINVAL ? "EINVAL"
                           : "other");
}

int main(void) {
  pid_t me = (pid_t)syscall(SYS_gettid), other;
  char name[17] = "";
  void *same;
  pthread_t thread;
  signal(SIGUSR1, handler);
  prctl(PR_SET_NAME, "first");
  pthread_create(&thread, NULL, work, &other);
  pthread_join(thread, &same);
  prctl(PR_GET_NAME, name);
  printf("%s, main %d, other %d, differ %d\n", name, me == getpid(), same != NULL, other != me);
  say("tgkill", syscall(SYS_tgkill, getpid(), me, SIGUSR1));
  printf("caught %d\n", (int)caught);
  say("another group", syscall(SYS_tgkill, 99999999, me, SIGUSR1));
  say("no thread", syscall(SYS_tgkill, getpid(), 99999999, SIGUSR1));
  say("negative", syscall(SYS_tgkill, getpid(), -1, SIGUSR1));
  say("bad signal", syscall(SYS_tgkill, getpid(), me, 65));
  say("probe", syscall(SYS_tgkill, getpid(), me, 0));
  return 0;
}
