//@ cflags: -idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu
// Requests to netlink and their answers: one interface, errors, acknowledgements, names of sockets.
#include "../socket/net.h"
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

static int fd;
static unsigned port;

static void ask(const char *what, int type, int flags, const void *content, size_t size) {
  struct {
    struct nlmsghdr header;
    char content[64];
  } request = {.header = {.nlmsg_len = (unsigned)(sizeof(struct nlmsghdr) + size), .nlmsg_type = (unsigned short)type,
                          .nlmsg_flags = (unsigned short)(NLM_F_REQUEST | flags), .nlmsg_seq = 7}};
  memcpy(request.content, content, size);
  printf("%s\n", what);
  SHOW(send(fd, &request, request.header.nlmsg_len, 0) == request.header.nlmsg_len);
}

static struct nlmsghdr *answer(void) {
  static union {
    struct nlmsghdr header;
    char bytes[1 << 15];
  } buffer;
  struct sockaddr_nl from = {0};
  socklen_t size = sizeof from;
  ssize_t length = recvfrom(fd, &buffer, sizeof buffer, 0, ADDRESS(from), &size);
  need(length >= (ssize_t)sizeof buffer.header, "recvfrom");
  printf("  from %u of family %d: type %d, ours %s, sequence %u\n", from.nl_pid, from.nl_family,
         buffer.header.nlmsg_type, buffer.header.nlmsg_pid == port ? "yes" : "no", buffer.header.nlmsg_seq);
  return &buffer.header;
}

static void show_link(const struct nlmsghdr *message) {
  const struct ifinfomsg *link = NLMSG_DATA(message);
  int left = (int)(message->nlmsg_len - NLMSG_LENGTH(sizeof *link));
  printf("  interface %d, loopback %s\n", link->ifi_index, link->ifi_flags & IFF_LOOPBACK ? "yes" : "no");
  for (const struct rtattr *each = IFLA_RTA(link); RTA_OK(each, left); each = RTA_NEXT(each, left))
    if (each->rta_type == IFLA_IFNAME)
      printf("  name %s\n", (const char *)RTA_DATA(each));
    else if (each->rta_type == IFLA_MTU)
      printf("  mtu %u\n", *(const unsigned *)RTA_DATA(each));
}

static void show_error(const struct nlmsghdr *message) {
  const struct nlmsgerr *error = NLMSG_DATA(message);
  printf("  %s, about type %d\n", errno_name(-error->error), error->msg.nlmsg_type);
}

int main(void) {
  OK(socket(AF_NETLINK, SOCK_STREAM, NETLINK_ROUTE));
  OK(fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
  struct sockaddr_nl own = {.nl_family = AF_NETLINK};
  SHOW(bind(fd, ADDRESS(own), 4));
  SHOW(bind(fd, ADDRESS(own), sizeof own));
  socklen_t size = sizeof own;
  SHOW(getsockname(fd, ADDRESS(own), &size));
  NUM(size);
  IS(own.nl_pid == (unsigned)getpid());
  port = own.nl_pid;
  int other = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_ROUTE);
  SHOW(bind(other, ADDRESS(own), sizeof own));
  ready("before", fd, 0);

  struct ifinfomsg by_index = {.ifi_index = 1};
  ask("by number", RTM_GETLINK, 0, &by_index, sizeof by_index);
  ready("after", fd, POLLIN);
  show_link(answer());
  struct {
    struct ifinfomsg link;
    struct rtattr attribute;
    char name[4];
  } by_name = {.attribute = {sizeof(struct rtattr) + 3, IFLA_IFNAME}, .name = "lo"};
  ask("by name", RTM_GETLINK, 0, &by_name, sizeof by_name);
  show_link(answer());
  by_index.ifi_index = 12345;
  ask("nobody", RTM_GETLINK, 0, &by_index, sizeof by_index);
  show_error(answer());
  by_index.ifi_index = 1;
  ask("acknowledged", RTM_GETLINK, NLM_F_ACK, &by_index, sizeof by_index);
  show_link(answer());
  show_error(answer());
  ready("at the end", fd, 0);
  get("nothing", fd, 16, MSG_DONTWAIT);
  return 0;
}
