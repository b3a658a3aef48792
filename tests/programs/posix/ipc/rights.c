// Objects of another user: rights are those of the owner, the group or others.
#include "../check.h"
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
  be_ordinary_user();
  int segment = shmget(IPC_PRIVATE, 10, 0200);
  int set = semget(IPC_PRIVATE, 1, 0400);
  int queue = msgget(IPC_PRIVATE, 0200);
  IS(segment >= 0 && set >= 0 && queue >= 0);
  IS(shmat(segment, 0, 0) == (void *)-1 && errno == EACCES);
  struct shmid_ds about;
  SHOW(shmctl(segment, IPC_STAT, &about));
  SHOW(semctl(set, 0, GETVAL));
  SHOW(semctl(set, 0, SETVAL, 1));
  SHOW(semop(set, &(struct sembuf){0, 1, 0}, 1));
  SHOW(semop(set, &(struct sembuf){0, 0, 0}, 1));
  struct {
    long type;
    char text[4];
  } message = {1, "abc"};
  SHOW(msgsnd(queue, &message, 4, 0));
  SHOW(msgrcv(queue, &message, 4, 0, IPC_NOWAIT));
  SHOW(shmctl(segment, IPC_RMID, 0));
  SHOW(semctl(set, 0, IPC_RMID));
  SHOW(msgctl(queue, IPC_RMID, 0));
  return 0;
}
