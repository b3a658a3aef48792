/* Addresses, and descriptors in general. */
#include "socket.h"

/* The record of an address: 4 bytes real, 4 on loopback, 16 of IPv6. */
static const unsigned char *address_record(const struct everett_node *node, uint32_t index) {
  return (const unsigned char *)script + node->addresses_at + 24 * index;
}

static uint32_t ip_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t loopback_of(const struct everett_node *node, uint32_t index) {
  return ip_at(address_record(node, index) + 4);
}

static uint32_t address_of(const struct everett_node *node, uint32_t index) {
  return ip_at(address_record(node, index));
}

static struct everett_node *nodes(void) {
  return (struct everett_node *)((char *)script + script->nodes_at);
}

static uint32_t own_loopback(void) {
  struct everett_node *node = own_node();
  return node->addresses > 0 ? loopback_of(node, 0) : 0x7f000001;
}

/* The node that has an address, or one on loopback. */
static const struct everett_node *owner(uint32_t ip, int native) {
  for (uint32_t i = 0; i < script->nodes; i++)
    for (uint32_t j = 0; j < nodes()[i].addresses; j++)
      if ((native ? loopback_of(&nodes()[i], j) : address_of(&nodes()[i], j)) == ip)
        return &nodes()[i];
  return NULL;
}

int is_internet(const struct address *address, uint32_t size) {
  enum { LEAST_ADDRESS6 = 24 };
  return (size >= sizeof *address && address->family == AF_INET_) ||
         (size >= LEAST_ADDRESS6 && address->family == AF_INET6_);
}

/* Puts the address of IPv6 that an address of IPv4 stands for. */
static void put_ipv6(uint32_t ip, uint8_t to[16]) {
  if (ip >> 24 == 127)
    to[15] = 1;
  for (uint32_t i = 0; i < script->nodes; i++)
    for (uint32_t j = 0; j < nodes()[i].addresses; j++)
      if (address_of(&nodes()[i], j) == ip)
        memcpy(to, address_record(&nodes()[i], j) + 8, 16);
}

void give_known_address(uint64_t word, void *to, uint32_t *room) {
  uint16_t port = swap_16(word_port(word));
  uint32_t ip = swap_32(word_ip(word));
  struct address6 six = {.family = AF_INET6_, .port = port};
  if (word_is_ipv6(word)) {
    put_ipv6(word_ip(word), six.ip);
  } else if (word_is_mapped(word)) {
    six.ip[10] = six.ip[11] = 0xff;
    memcpy(six.ip + 12, &ip, 4);
  } else {
    struct address four = {AF_INET_, port, ip, {0}};
    give_address(&four, sizeof four, to, room);
    return;
  }
  give_address(&six, sizeof six, to, room);
}

struct address native_meaning(const struct address *named, uint64_t word) {
  if (named->family == AF_INET6_)
    return native_address(word_ip(word), word_port(word));
  return native_address(swap_32(named->ip), swap_16(named->port));
}

struct address native_address(uint32_t ip, uint16_t port) {
  if (on_loopback()) {
    const struct everett_node *node = owner(ip, 0);
    if (ip == 0 || ip >> 24 == 127)
      ip = own_loopback();
    else if (node)
      ip = loopback_of(node, 0);
  }
  return (struct address){AF_INET_, swap_16(port), swap_32(ip), {0}};
}

int comes_from(const struct address *native, uint64_t word) {
  if (native->family != AF_INET_ || swap_16(native->port) != word_port(word))
    return 0;
  uint32_t ip = swap_32(native->ip);
  if (!on_loopback())
    return ip == word_ip(word);
  const struct everett_node *node = word_ip(word) >> 24 == 127 ? own_node() : owner(word_ip(word), 0);
  return node && owner(ip, 1) == node;
}

int goes_to_many(uint32_t ip) { return ip >> 24 != 127 && ip != 0 && !owner(ip, 0); }

void each_node(void (*visit)(void *of, uint32_t native_ip), void *of) {
  for (uint32_t i = 0; i < script->nodes; i++)
    if (nodes()[i].addresses > 0)
      visit(of, loopback_of(&nodes()[i], 0));
}

enum { OWN_MAX = 4096 };
static unsigned char own[OWN_MAX];

int is_own(int fd) {
  return fd == OWN_INTO_POOL || fd == OWN_FROM_POOL || (fd >= FIRST_FREE_DESCRIPTOR && fd < OWN_MAX && own[fd]);
}

long own_copy(int fd) {
  long copy = SYSTEM(fcntl, fd, F_DUPFD_CLOEXEC_, FIRST_FREE_DESCRIPTOR);
  if (copy >= 0 && copy < OWN_MAX)
    own[copy] = 1;
  return copy;
}

void own_close(int fd) {
  if (fd >= 0 && fd < OWN_MAX)
    own[fd] = 0;
  SYSTEM(close, fd);
}

int is_outside(int fd) {
  struct stat_ status;
  if (fd < 0 || is_own(fd) || SYSTEM(fstat, fd, &status) < 0)
    return 0;
  uint32_t kind = status.mode & MODE_KIND;
  /* Of devices, only those of chance are in the script. */
  enum { DEVICE_NULL = 0x103, DEVICE_ZERO = 0x105, DEVICE_FULL = 0x107 };
  uint64_t device = status.special_device;
  if (kind == MODE_CHARACTER)
    return device != DEVICE_NULL && device != DEVICE_ZERO && device != DEVICE_FULL;
  /* Counters, timers and the like have no kind at all. Standard streams are files here. */
  return kind == MODE_SOCKET || kind == MODE_PIPE || kind == 0;
}

int is_device(int fd) {
  struct stat_ status;
  return SYSTEM(fstat, fd, &status) == 0 && (status.mode & MODE_KIND) == MODE_CHARACTER;
}

int numbered(int fd, int64_t number, int close_on_exec) {
  if (fd < 0 || fd == number)
    return fd;
  long moved = SYSTEM(dup3, fd, number, close_on_exec ? SOCK_CLOEXEC_ : 0);
  own_close(fd);
  return moved < 0 ? (int)moved : (int)number;
}

void bind_to_own(int fd, uint64_t own) {
  struct address name = {0};
  uint32_t size = sizeof name;
  if (word_port(own) == 0 || SYSTEM(getsockname, fd, &name, &size) != 0 || name.family != AF_INET_ ||
      name.port != 0)
    return;
  /* Which of the host's addresses packets come from is for the host to choose. */
  struct address wanted = native_address(0, word_port(own));
  int yes = 1;
  SYSTEM(setsockopt, fd, SOL_SOCKET_, SO_REUSEADDR_, &yes, sizeof yes);
  long result = SYSTEM(bind, fd, &wanted, sizeof wanted);
  if (result < 0)
    turn_diverge("port %u, which the script gives it, cannot be had: error %d", (uint64_t)word_port(own),
                 (int64_t)-result);
}

void give_address(const void *address, uint32_t size, void *to, uint32_t *room) {
  if (!to || !room)
    return;
  memcpy(to, address, size < *room ? size : *room);
  *room = size;
}

int wait_ready(int fd, int events, uint64_t until_ns) {
  for (;;) {
    uint64_t now = host_time_ns();
    if (now >= until_ns)
      return 0;
    struct pollfd_ wanted = {fd, (int16_t)events, 0};
    long ready = SYSTEM(poll, &wanted, 1, (until_ns - now) / 1000000u + 1);
    if (ready > 0)
      return 1;
  }
}
