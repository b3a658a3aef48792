//@ native: yes
//@ cflags: -Wl,--no-as-needed,-lresolv
// What <resolv.h> has for names and numbers, without asking anybody.
#include "../check.h"
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <sys/socket.h>
#ifndef __GLIBC__
int __b64_ntop(const unsigned char *, size_t, char *, size_t), __b64_pton(const char *, unsigned char *, size_t);
#define b64_ntop __b64_ntop
#define b64_pton __b64_pton
int inet_net_pton(int, const char *, void *, size_t);
char *inet_net_ntop(int, const void *, int, char *, size_t);
int ns_name_pton(const char *, unsigned char *, size_t), ns_name_ntop(const unsigned char *, char *, size_t);
int ns_name_unpack(const unsigned char *, const unsigned char *, const unsigned char *, unsigned char *, size_t);
int ns_samename(const char *, const char *);
int res_hnok(const char *), res_dnok(const char *);
#endif

int main(void) {
  char text[128];
  unsigned char bytes[128];
  for (int n = 0; n < 5; n++) {
    NUM(b64_ntop((const unsigned char *)"\xff\x00zq!", n, text, sizeof text));
    puts(text);
    IS(b64_pton(text, bytes, sizeof bytes) == n && !memcmp(bytes, "\xff\x00zq!", n));
  }
  NUM(b64_ntop((const unsigned char *)"abc", 3, text, 4));
  NUM(b64_pton(" Y Q = = ", bytes, sizeof bytes));
  NUM(b64_pton("YR==", bytes, sizeof bytes));
  NUM(b64_pton("Y", bytes, sizeof bytes));
  static const char *const nets[] = {"10", "192.168.1", "172.16.0.0/12", "0xc0a8/16", "224.1", "1.2.3.256", "x"};
  for (int i = 0; i < 7; i++) {
    memset(bytes, 0, 4);
    int bits = inet_net_pton(AF_INET, nets[i], bytes, 4);
    printf("%s: %d", nets[i], bits);
    if (bits >= 0)
      printf(" %s", inet_net_ntop(AF_INET, bytes, bits, text, sizeof text));
    puts("");
  }
  static const char *const names[] = {"www.example.org", "a.b.", ".", "with\\.dot.x", "sp\\032ace", "a..b"};
  for (int i = 0; i < 6; i++) {
    int whole = ns_name_pton(names[i], bytes, sizeof bytes);
    printf("%s: %d", names[i], whole);
    if (whole >= 0)
      printf(" %d %s", ns_name_ntop(bytes, text, sizeof text), text);
    puts("");
  }
  static const unsigned char message[] = "\3org\0\3www\7example\xc0\0";
  NUM(ns_name_unpack(message, message + sizeof message, message + 5, bytes, sizeof bytes));
  ns_name_ntop(bytes, text, sizeof text);
  puts(text);
  IS(ns_samename("A.b", "a.B.") == 1 && ns_samename("a", "b") == 0);
  NUM(res_hnok("good-name.org") * 10 + res_hnok("bad-.org") + res_hnok("-x"));
  return 0;
}
