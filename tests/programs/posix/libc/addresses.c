//@ native: yes
// inet_pton and inet_ntop over good and bad texts; byte order.
#include "../check.h"
#include <arpa/inet.h>

static void four(const char *text) {
  unsigned char a[4];
  int r = inet_pton(AF_INET, text, a);
  printf("%s: %d", text, r);
  if (r == 1)
    printf(" %d.%d.%d.%d", a[0], a[1], a[2], a[3]);
  puts("");
}

static void six(const char *text) {
  unsigned char a[16];
  char back[INET6_ADDRSTRLEN];
  int r = inet_pton(AF_INET6, text, a);
  printf("%s: %d %s\n", text, r, r == 1 ? inet_ntop(AF_INET6, a, back, sizeof back) : "-");
}

int main(void) {
  four("127.0.0.1"), four("255.255.255.255"), four("256.1.1.1"), four("1.2.3"), four("1.2.3.4.5"), four(""),
      four("1.2.3.4 ");
  six("::1"), six("::"), six("2001:db8::1"), six("2001:0db8:0000:0000:0000:0000:0000:0001"),
      six("::ffff:1.2.3.4");
  six("1:2:3:4:5:6:7:8"), six("1:2:3:4:5:6:7"), six("1::2::3"), six("12345::"), six("1:0:0:2:0:0:0:3"),
      six("g::");
  struct in_addr a;
  NUM(inet_aton("10.1", &a));
  puts(inet_ntoa(a));
  printf("%x %x %x\n", htonl(0x01020304), htons(0x0102), ntohl(htonl(77)));
  char small[5];
  IS(inet_ntop(AF_INET, &a, small, sizeof small) == 0 && errno == ENOSPC);
  IS(inet_pton(99, "1.2.3.4", &a) == -1 && errno == EAFNOSUPPORT);
  printf("%x\n", ntohl(inet_addr("1.2.3.4")));
  return 0;
}
