// Semaphores of System V: operations are made together or not at all, wait, and are undone at the end of a process.
#include "../check.h"
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>

union semun {
  int val;
  struct semid_ds *buf;
  unsigned short *array;
};

static int operate(int set, int number, int by, int flags) {
  struct sembuf operation = {(unsigned short)number, (short)by, (short)flags};
  return semop(set, &operation, 1);
}

static int waiting(int set, int command) {
  // The child needs a moment to begin to wait.
  for (int i = 0; i < 1000; i++) {
    if (semctl(set, 0, command) > 0)
      return 1;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, 0);
  }
  return 0;
}

int main(void) {
  SHOW(semget(IPC_PRIVATE, 0, 0600));
  int set = semget(IPC_PRIVATE, 3, 0600);
  IS(set >= 0);
  unsigned short values[3] = {1, 2, 3};
  SHOW(semctl(set, 0, SETALL, (union semun){.array = values}));
  SHOW(semctl(set, 1, SETVAL, (union semun){.val = 5}));
  SHOW(semctl(set, 1, SETVAL, (union semun){.val = 40000}));
  SHOW(semctl(set, 3, GETVAL));
  SHOW(semctl(set, 0, GETALL, (union semun){.array = values}));
  printf("%d %d %d\n", values[0], values[1], values[2]);

  struct sembuf together[] = {{1, -5, 0}, {0, -2, IPC_NOWAIT}};
  SHOW(semop(set, together, 2));
  SHOW(semctl(set, 1, GETVAL));
  together[1].sem_op = -1;
  SHOW(semop(set, together, 2));
  SHOW(semctl(set, 1, GETVAL));
  SHOW(operate(set, 0, 0, IPC_NOWAIT));
  SHOW(operate(set, 2, 0, IPC_NOWAIT));
  SHOW(operate(set, 3, 1, 0));
  SHOW(operate(set, 2, 32767, 0));
  SHOW(semop(set, together, 0));
  SHOW(semop(set, together, 501));
  SHOW(semtimedop(set, &(struct sembuf){0, -1, 0}, 1, &(struct timespec){.tv_nsec = 1000}));

  pid_t child = fork();
  if (child == 0) {
    if (operate(set, 0, -1, 0))
      _exit(1);
    operate(set, 2, -2, SEM_UNDO);
    _exit(semctl(set, 2, GETVAL));
  }
  IS(waiting(set, GETNCNT));
  SHOW(semctl(set, 0, GETZCNT));
  SHOW(operate(set, 0, 1, 0));
  int status;
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));
  SHOW(semctl(set, 2, GETVAL));
  IS(semctl(set, 2, GETPID) == child);

  // Who waits for a set that is removed is told so.
  child = fork();
  if (child == 0) {
    int failed = operate(set, 2, 0, 0);
    _exit(failed && errno == EIDRM ? 3 : 4);
  }
  for (int i = 0; i < 1000 && semctl(set, 2, GETZCNT) == 0; i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, 0);
  struct semid_ds about;
  SHOW(semctl(set, 0, IPC_STAT, (union semun){.buf = &about}));
  NUM(about.sem_nsems);
  IS(about.sem_otime != 0 && about.sem_ctime != 0);
  SHOW(semctl(set, 0, IPC_RMID));
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));
  SHOW(semctl(set, 0, GETVAL));
  SHOW(operate(set, 0, 1, 0));
  return 0;
}
