// The loopback interface, as netlink and getifaddrs tell about it.
#include "../socket/net.h"
#include <ifaddrs.h>
#include <net/if.h>

int main(void) {
  struct ifaddrs *all = NULL;
  SHOW(getifaddrs(&all));
  for (struct ifaddrs *each = all; each; each = each->ifa_next) {
    if (strcmp(each->ifa_name, "lo") != 0 || !each->ifa_addr)
      continue;
    int family = each->ifa_addr->sa_family;
    printf("family %d, flags %x\n", family, each->ifa_flags & (IFF_UP | IFF_LOOPBACK | IFF_RUNNING | IFF_BROADCAST));
    char text[INET6_ADDRSTRLEN];
    if (family == AF_INET) {
      printf("  address %s\n", inet_ntop(family, &((Inet *)each->ifa_addr)->sin_addr, text, sizeof text));
      printf("  mask %s\n", inet_ntop(family, &((Inet *)each->ifa_netmask)->sin_addr, text, sizeof text));
    } else if (family == AF_INET6) {
      const struct sockaddr_in6 *six = (void *)each->ifa_addr, *mask = (void *)each->ifa_netmask;
      printf("  address %s\n", inet_ntop(family, &six->sin6_addr, text, sizeof text));
      printf("  mask %s\n", inet_ntop(family, &mask->sin6_addr, text, sizeof text));
    }
  }
  freeifaddrs(all);
  char name[IF_NAMESIZE];
  NUM(if_nametoindex("lo"));
  NUM(if_nametoindex("nothing0"));
  printf("%s\n", if_indextoname(1, name));
  struct if_nameindex *names = if_nameindex();
  need(names != NULL, "if_nameindex");
  printf("first: %u %s\n", names[0].if_index, names[0].if_name);
  if_freenameindex(names);
  return 0;
}
