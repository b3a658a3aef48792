// The kernel does not look at fields that it is to fill, at padding, or at what follows a name.
//@ args: --check uninitialized
//@ native: yes
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
  volatile struct pollfd entry;
  entry.fd = 0;
  entry.events = 0;
  poll((struct pollfd *)&entry, 1, 0);
  int file = socket(AF_INET, SOCK_DGRAM, 0);
  volatile struct sockaddr_in address;
  address.sin_family = AF_INET;
  address.sin_port = 0;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(file, (struct sockaddr *)&address, sizeof address))
    return 1;
  int local = socket(AF_UNIX, SOCK_DGRAM, 0);
  struct sockaddr_un name;
  name.sun_family = AF_UNIX;
  strcpy(name.sun_path, "socket");
  if (bind(local, (struct sockaddr *)&name, sizeof name))
    return 2;
  int all = epoll_create1(0);
  struct epoll_event event;
  event.events = EPOLLIN;
  event.data.fd = file;
  if (epoll_ctl(all, EPOLL_CTL_ADD, file, &event))
    return 3;
  struct flock lock;
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = lock.l_len = 0;
  int plain = open("plain", O_RDWR | O_CREAT, 0600);
  if (fcntl(plain, F_SETLK, &lock))
    return 4;
  struct sigaction action;
  action.sa_handler = SIG_IGN;
  action.sa_flags = 0;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGUSR1, &action, 0))
    return 5;
  return 0;
}
