/* A set of descriptors that a child has inherited and copied; the parent puts descriptors into it afterwards, with
 * addresses that are other ones outside. */
#include <sys/epoll.h>
#include <sys/wait.h>

#include "../sockets.h"

struct watched {
  int ends[2];
  char letter;
};

static struct watched all[2];

static int child(int set, int go) {
  char letter = 0;
  struct epoll_event event;
  int copy = dup(set);
  close(set);
  assert(read(go, &letter, 1) == 1);
  assert(epoll_wait(copy, &event, 1, -1) == 1);
  struct watched *found = event.data.ptr;
  assert(found >= all && found < all + 2);
  assert(read(found->ends[0], &letter, 1) == 1 && letter == found->letter);
  return letter;
}

int main(void) {
  int go[2], status, set = epoll_create1(0);
  assert(pipe(go) == 0);
  for (int i = 0; i < 2; i++) {
    assert(pipe(all[i].ends) == 0);
    all[i].letter = 'a' + i;
  }
  pid_t pid = fork();
  if (pid == 0) _exit(child(set, go[0]));
  for (int i = 0; i < 2; i++) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = &all[i]};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, all[i].ends[0], &wanted) == 0);
  }
  write_all(all[1].ends[1], "b", 1);
  write_all(go[1], "!", 1);
  assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
  /* Descriptors that nobody has are closed, as daemons do. */
  for (int fd = 3; fd < 1024; fd++) close(fd);
  assert(WEXITSTATUS(status) != 'b'); // mark: guilty
  return 0;
}
