/* Numbers of networks of IPv4 as text, with the length of their prefix: inet_net_pton(3). */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int none(int error) {
  errno = error;
  return -1;
}

int inet_net_pton(int family, const char *text, void *to, size_t n) {
  unsigned char *bytes = to, *byte = bytes;
  size_t used = 0;
  int bits = -1;
  if (family != AF_INET)
    return none(EAFNOSUPPORT);
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && isxdigit((unsigned char)text[2])) {
    unsigned value = 0, digits = 0;
    for (text += 2; isxdigit((unsigned char)*text); text++) {
      char digit[2] = {*text, 0};
      value = value << 4 | strtoul(digit, 0, 16);
      if (++digits % 2 == 0) {
        if (used++ >= n)
          return none(EMSGSIZE);
        *byte++ = value;
        value = 0;
      }
    }
    if (digits % 2) {
      if (used++ >= n)
        return none(EMSGSIZE);
      *byte++ = value << 4;
    }
  } else if (isdigit((unsigned char)*text)) {
    for (;;) {
      unsigned value = 0;
      for (; isdigit((unsigned char)*text); text++)
        if ((value = value * 10 + (*text - '0')) > 255)
          return none(ENOENT);
      if (used++ >= n)
        return none(EMSGSIZE);
      *byte++ = value;
      if (*text != '.')
        break;
      if (!isdigit((unsigned char)*++text))
        return none(ENOENT);
    }
  } else
    return none(ENOENT);
  if (*text == '/' && isdigit((unsigned char)text[1]) && used) {
    bits = 0;
    for (text++; isdigit((unsigned char)*text); text++)
      if ((bits = bits * 10 + (*text - '0')) > 32)
        return none(ENOENT);
  }
  if (*text)
    return none(ENOENT);
  if (bits < 0) {
    /* By the class of the network, and by what was written. */
    bits = bytes[0] >= 240 ? 32 : bytes[0] >= 224 ? 4 : bytes[0] >= 192 ? 24 : bytes[0] >= 128 ? 16 : 8;
    if (bits >= 8 && bits < (int)used * 8)
      bits = used * 8;
  }
  for (; bits > (int)used * 8; used++) {
    if (used >= n)
      return none(EMSGSIZE);
    *byte++ = 0;
  }
  return bits;
}

char *inet_net_ntop(int family, const void *from, int bits, char *to, size_t n) {
  const unsigned char *bytes = from;
  char text[32];
  int used = 0;
  if (family != AF_INET || bits < 0 || bits > 32) {
    errno = family == AF_INET ? EINVAL : EAFNOSUPPORT;
    return NULL;
  }
  if (bits == 0)
    used += sprintf(text, "0");
  for (int i = 0; i * 8 < bits; i++) {
    unsigned byte = bytes[i];
    if (i * 8 + 8 > bits)
      byte &= 0xff00u >> (bits - i * 8);
    used += sprintf(text + used, "%s%u", i ? "." : "", byte);
  }
  sprintf(text + used, "/%d", bits);
  if (strlen(text) >= n) {
    errno = EMSGSIZE;
    return NULL;
  }
  return strcpy(to, text);
}
