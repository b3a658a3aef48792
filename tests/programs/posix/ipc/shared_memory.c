// Shared memory of System V: found by its key, at another address in each process, gone with the last one that
// has it.
#include "../check.h"
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>

int main(void) {
  put("key", "");
  key_t key = ftok("key", 'e');
  IS(key != -1);
  SHOW(shmget(key, 100, 0600));
  SHOW(shmget(key, 0, IPC_CREAT | 0600));
  int id = shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0640);
  IS(id >= 0);
  SHOW(shmget(key, 100, IPC_CREAT | IPC_EXCL | 0600));
  SHOW(shmget(key, 5001, 0600));
  IS(shmget(key, 100, 0600) == id);

  char *mine = shmat(id, 0, 0);
  IS(mine != (char *)-1);
  bytes("fresh", mine, 4);
  strcpy(mine, "from the parent");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char *again = shmat(id, 0, 0);
    bytes("inherited", mine, 15);
    bytes("attached", again, 15);
    IS(again != mine);
    strcpy(again, "from the child");
    bytes("inherited", mine, 14);
    SHOW(shmdt(mine));
    struct shmid_ds status;
    SHOW(shmctl(id, IPC_STAT, &status));
    NUM(status.shm_nattch);
    strcat(again, "!");
    fflush(stdout);
    _exit(7);
  }
  int status;
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));
  bytes("mine", mine, 15);

  struct shmid_ds about;
  SHOW(shmctl(id, IPC_STAT, &about));
  NUM(about.shm_segsz);
  NUM(about.shm_nattch);
  NUM(about.shm_perm.mode & 0777);
  IS(about.shm_perm.uid == geteuid() && about.shm_perm.cuid == geteuid());
  IS(about.shm_cpid == getpid() && about.shm_lpid == child);
  IS(about.shm_atime != 0 && about.shm_dtime != 0 && about.shm_ctime != 0);
  about.shm_perm.mode = 0400;
  SHOW(shmctl(id, IPC_SET, &about));
  SHOW(shmctl(id, IPC_STAT, &about));
  NUM(about.shm_perm.mode & 0777);

  const char *read_only = shmat(id, 0, SHM_RDONLY);
  bytes("read only", read_only, 15);
  SHOW(shmdt(mine + 1));
  SHOW(shmdt(mine + 4096));
  OK(shmdt(read_only));
  // A removed segment is there for those that have it, and found no more.
  SHOW(shmctl(id, IPC_RMID, 0));
  SHOW(shmget(key, 0, 0));
  strcpy(mine, "still here");
  SHOW(shmctl(id, IPC_STAT, &about));
  IS((about.shm_perm.mode & 01000) != 0);
  bytes("mine", mine, 10);
  SHOW(shmdt(mine));
  SHOW(shmctl(id, IPC_STAT, &about));
  SHOW(shmctl(id, 99, 0));
  SHOW(shmdt(mine));
  return 0;
}
