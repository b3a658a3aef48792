// The loopback interface, as ioctl tells about it.
#include "net.h"
#include <net/if.h>
#include <sys/ioctl.h>

static struct ifreq lo(void) {
  struct ifreq r = {0};
  strcpy(r.ifr_name, "lo");
  return r;
}

int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq r = lo();
  SHOW(ioctl(fd, SIOCGIFADDR, &r));
  printf("%s\n", inet_ntoa(((Inet *)&r.ifr_addr)->sin_addr));
  r = lo();
  SHOW(ioctl(fd, SIOCGIFNETMASK, &r));
  printf("%s\n", inet_ntoa(((Inet *)&r.ifr_addr)->sin_addr));
  r = lo();
  SHOW(ioctl(fd, SIOCGIFFLAGS, &r));
  IS((r.ifr_flags & (IFF_UP | IFF_LOOPBACK | IFF_RUNNING)) == (IFF_UP | IFF_LOOPBACK | IFF_RUNNING));
  r = lo();
  SHOW(ioctl(fd, SIOCGIFINDEX, &r));
  NUM(r.ifr_ifindex);
  r = lo();
  SHOW(ioctl(fd, SIOCGIFMTU, &r));
  NUM(r.ifr_mtu);
  r = lo();
  r.ifr_ifindex = 1;
  memset(r.ifr_name, 0, sizeof r.ifr_name);
  SHOW(ioctl(fd, SIOCGIFNAME, &r));
  printf("%s\n", r.ifr_name);
  NUM(if_nametoindex("lo"));
  strcpy(r.ifr_name, "nothing0");
  SHOW(ioctl(fd, SIOCGIFADDR, &r));
  struct ifreq all[32];
  struct ifconf c = {.ifc_len = sizeof all, .ifc_req = all};
  SHOW(ioctl(fd, SIOCGIFCONF, &c));
  int found = 0;
  for (int i = 0; i < c.ifc_len / (int)sizeof *all; i++)
    found += !strcmp(all[i].ifr_name, "lo");
  NUM(found);
  return 0;
}
