// Message queues of System V: messages are taken by type, queues are full, and receivers wait.
#include "../check.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>

struct message {
  long type;
  char text[200];
};

static int add(int queue, long type, const char *text) {
  struct message message = {.type = type};
  strcpy(message.text, text);
  return msgsnd(queue, &message, strlen(text), IPC_NOWAIT);
}

static void take(int queue, long type, size_t room, int flags) {
  struct message message = {0};
  ssize_t count = msgrcv(queue, &message, room, type, flags | IPC_NOWAIT);
  if (count < 0)
    printf("type %ld: %s\n", type, errno_name(errno));
  else
    printf("type %ld: %ld %.*s\n", type, message.type, (int)count, message.text);
}

int main(void) {
  put("key", "");
  key_t key = ftok("key", 1);
  SHOW(msgget(key, 0600));
  int queue = msgget(key, IPC_CREAT | 0600);
  IS(queue >= 0 && msgget(key, 0) == queue);
  SHOW(add(queue, 0, "bad"));
  SHOW(add(queue, 5, "five"));
  SHOW(add(queue, 3, "three"));
  SHOW(add(queue, 9, "nine"));
  SHOW(add(queue, 3, "more of three"));
  SHOW(add(queue, 1, ""));
  struct msqid_ds about;
  SHOW(msgctl(queue, IPC_STAT, &about));
  printf("%d messages, %d bytes of %d\n", (int)about.msg_qnum, (int)about.__msg_cbytes,
         (int)about.msg_qbytes);
  IS(about.msg_lspid == getpid() && about.msg_lrpid == 0 && about.msg_stime != 0);
  take(queue, 3, 200, 0);
  take(queue, 3, 4, 0);
  take(queue, 3, 4, MSG_NOERROR);
  take(queue, 3, 200, 0);
  take(queue, -5, 200, 0);
  take(queue, -5, 200, 0);
  take(queue, 9, 200, MSG_EXCEPT);
  take(queue, 0, 200, 0);
  take(queue, 0, 200, 0);

  // A queue has room for so many bytes.
  about.msg_qbytes = 300;
  SHOW(msgctl(queue, IPC_SET, &about));
  char long_text[151];
  memset(long_text, 'x', 150);
  long_text[150] = 0;
  SHOW(add(queue, 1, long_text));
  SHOW(add(queue, 1, long_text));
  SHOW(add(queue, 1, "y"));

  pid_t child = fork();
  if (child == 0) {
    struct message message = {0};
    int sum = 0;
    for (int i = 0; i < 3; i++)
      sum += (int)msgrcv(queue, &message, 200, 0, 0);
    _exit(sum == 301 && message.text[0] == 'z' ? 5 : 6);
  }
  struct message waits = {.type = 2, .text = "z"};
  SHOW(msgsnd(queue, &waits, 1, 0));
  int status;
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));

  child = fork();
  if (child == 0) {
    struct message message;
    // On a busy machine, the queue may be gone before it waits.
    _exit(msgrcv(queue, &message, 200, 0, 0) == -1 && (errno == EIDRM || errno == EINVAL) ? 8 : 9);
  }
  usleep(20000);
  SHOW(msgctl(queue, IPC_RMID, 0));
  IS(waitpid(child, &status, 0) == child);
  NUM(WEXITSTATUS(status));
  SHOW(add(queue, 1, "gone"));
  return 0;
}
