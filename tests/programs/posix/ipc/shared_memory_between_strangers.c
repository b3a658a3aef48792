// Two processes that are no relatives of the memory attach it after the fork, and take turns by a semaphore each.
#include "../check.h"
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>

static void change(int set, int number, int by) {
  struct sembuf operation = {.sem_num = (unsigned short)number, .sem_op = (short)by};
  need(semop(set, &operation, 1) == 0, "semop");
}

static int turns(key_t key, int own) {
  int set = semget(key, 2, 0);
  int *shared = shmat(shmget(key, sizeof *shared * 3, 0), 0, 0);
  for (int i = 0; i < 3; i++) {
    change(set, own, -1);
    shared[i] = shared[i] * 10 + own + 1;
    change(set, !own, 1);
  }
  return shmdt(shared);
}

int main(void) {
  key_t key = 0x5e7e77 + getpid() % 1000;
  int set = semget(key, 2, IPC_CREAT | IPC_EXCL | 0600);
  int segment = shmget(key, 3 * sizeof(int), IPC_CREAT | IPC_EXCL | 0600);
  need(set >= 0 && segment >= 0, "objects");
  pid_t first = fork();
  if (first == 0)
    _exit(turns(key, 0));
  pid_t second = fork();
  if (second == 0)
    _exit(turns(key, 1));
  change(set, 0, 1);
  int status;
  IS(waitpid(first, &status, 0) == first && status == 0);
  IS(waitpid(second, &status, 0) == second && status == 0);
  int *shared = shmat(segment, 0, SHM_RDONLY);
  for (int i = 0; i < 3; i++)
    NUM(shared[i]);
  SHOW(shmdt(shared));
  SHOW(shmctl(segment, IPC_RMID, 0));
  SHOW(semctl(set, 0, IPC_RMID));
  return 0;
}
