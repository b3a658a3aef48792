/* Calls on sockets. Those that have failed in the script are not made; the others are, and must succeed. */
#include "socket.h"

/* A connection that has arrived and is not wanted yet. Several processes may accept from one socket, whichever way
 * they have come to it, so those that wait are kept where all of them find them: in a pair of sockets that all
 * processes of the node have from the beginning. */
struct arrival {
  uint64_t listener; /* the socket, whatever its number */
  struct address peer;
  int fd;
};

enum { ARRIVALS_MAX = 64, RIGHTS = 1 };

/* Of a message that passes a descriptor. */
struct passing {
  size_t size;
  int level, kind, fd, padding;
};

static void put_into_pool(struct arrival *arrival) {
  struct iovec_ vector = {arrival, sizeof *arrival};
  struct passing passing = {sizeof passing - sizeof passing.padding, SOL_SOCKET_, RIGHTS, arrival->fd, 0};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1, .control = &passing, .control_length = sizeof passing};
  if (SYSTEM(sendmsg, OWN_INTO_POOL, &message, MSG_DONTWAIT_) < 0)
    turn_diverge("too many connections wait to be accepted");
  own_close(arrival->fd);
}

/* The next connection of the pool, or 0. */
static int take_from_pool(struct arrival *arrival) {
  struct iovec_ vector = {arrival, sizeof *arrival};
  struct passing passing = {0};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1, .control = &passing, .control_length = sizeof passing};
  enum { CLOSE_ON_EXEC = 0x40000000 };
  if (SYSTEM(recvmsg, OWN_FROM_POOL, &message, MSG_DONTWAIT_ | CLOSE_ON_EXEC) < 0)
    return 0;
  arrival->fd = (int)own_copy(passing.fd);
  SYSTEM(close, passing.fd);
  return 1;
}

static int is_wanted(const struct arrival *arrival, uint64_t listener, const event *e) {
  return arrival->listener == listener && comes_from(&arrival->peer, e->aux[0]);
}

/* The connection that the script wants, if it waits in the pool; otherwise -1. */
static int find_in_pool(uint64_t listener, const event *e) {
  struct arrival waiting[ARRIVALS_MAX];
  int count = 0, found = -1;
  while (count < ARRIVALS_MAX && take_from_pool(&waiting[count]))
    count++;
  for (int i = 0; i < count; i++) {
    if (found < 0 && is_wanted(&waiting[i], listener, e))
      found = waiting[i].fd;
    else
      put_into_pool(&waiting[i]);
  }
  return found;
}

/* Ends an event with what it says, unless the call itself failed. */
static long end(const event *e, long native, const char *what) {
  if (e->error == 0 && native < 0)
    turn_diverge("%s fails: error %d", what, (int64_t)-native);
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

EXPORT int socket(int domain, int type, int protocol) {
  if (!replaying())
    return (int)answered(SYSTEM(socket, domain, type, protocol));
  const event *e = turn_whole(EVERETT_API_socket);
  long fd = 0;
  if (e->error == 0) {
    fd = SYSTEM(socket, domain == AF_INET6_ ? AF_INET_ : domain, type, protocol);
    fd = numbered((int)fd, e->result, type & SOCK_CLOEXEC_);
  }
  return (int)end(e, fd, "socket");
}

/* Two sockets of one port, one for each family, are natively one socket with two descriptors: what arrives is given
 * to the program where the script has it. */
static long share_port(int fd, const struct address *native, int type) {
  enum { MOST_DESCRIPTORS = 1024 };
  long close_on_exec = SYSTEM(fcntl, fd, F_GETFD_);
  for (int other = 0; other < MOST_DESCRIPTORS; other++) {
    struct address name = {0};
    uint32_t size = sizeof name, type_size = sizeof(int);
    int other_type = 0;
    if (other == fd || SYSTEM(getsockname, other, &name, &size) != 0 || name.family != AF_INET_ ||
        name.port != native->port)
      continue;
    SYSTEM(getsockopt, other, SOL_SOCKET_, SO_TYPE_, &other_type, &type_size);
    if (other_type == type)
      return SYSTEM(dup3, other, fd, close_on_exec & 1 ? SOCK_CLOEXEC_ : 0) < 0 ? -E_ADDRINUSE : 0;
  }
  return -E_ADDRINUSE;
}

EXPORT int bind(int fd, const struct address *address, uint32_t size) {
  if (!replaying())
    return (int)answered(SYSTEM(bind, fd, address, size));
  const event *e = turn_whole(EVERETT_API_bind);
  long result = 0;
  if (e->error == 0 && is_internet(address, size)) {
    uint16_t port = address->port != 0 ? swap_16(address->port) : word_port(e->aux[1]);
    struct address native = native_meaning(address, e->aux[1]);
    native.port = swap_16(port);
    int yes = 1, type = 0;
    uint32_t type_size = sizeof type;
    SYSTEM(getsockopt, fd, SOL_SOCKET_, SO_TYPE_, &type, &type_size);
    /* Connections that the script has ended may still be there. */
    if (type == SOCK_STREAM_)
      SYSTEM(setsockopt, fd, SOL_SOCKET_, SO_REUSEADDR_, &yes, sizeof yes);
    result = SYSTEM(bind, fd, &native, sizeof native);
    if (result == -E_ADDRINUSE)
      result = share_port(fd, &native, type);
  } else if (e->error == 0) {
    result = SYSTEM(bind, fd, address, size);
  }
  return (int)end(e, result, "bind");
}

/* Other nodes reach a UNIX socket by TCP, at a port of this node. So for each such port there is a socket beside it,
 * which belongs to the library. */
enum { EXPOSED_MAX = 16 };
static struct {
  uint16_t port;
  int fd;
} exposed[EXPOSED_MAX];
static unsigned exposed_count;

static void expose(uint16_t port) {
  for (unsigned i = 0; i < exposed_count; i++)
    if (exposed[i].port == port)
      return;
  if (exposed_count == EXPOSED_MAX)
    turn_diverge("other nodes reach its UNIX sockets at more than %u ports", (uint64_t)EXPOSED_MAX);
  struct address address = native_address(0, port);
  long made = SYSTEM(socket, AF_INET_, SOCK_STREAM_, 0);
  int fd = (int)own_copy((int)made), yes = 1;
  SYSTEM(close, made);
  SYSTEM(setsockopt, fd, SOL_SOCKET_, SO_REUSEADDR_, &yes, sizeof yes);
  long result = SYSTEM(bind, fd, &address, sizeof address);
  if (result == 0)
    result = SYSTEM(listen, fd, 128);
  if (result < 0)
    turn_diverge("port %u, at which other nodes reach its UNIX socket, cannot be had: error %d", (uint64_t)port,
                 (int64_t)-result);
  exposed[exposed_count].port = port;
  exposed[exposed_count++].fd = fd;
}

/* The socket at which a connection arrives that the program accepts from another one. */
static int arrives_at(const event *e, int listener) {
  struct address name = {0};
  uint32_t size = sizeof name;
  if (e->aux[0] == 0 || SYSTEM(getsockname, listener, &name, &size) != 0 || name.family == AF_INET_)
    return listener;
  for (unsigned i = 0; i < exposed_count; i++)
    if (exposed[i].port == word_port(e->aux[1]))
      return exposed[i].fd;
  turn_diverge("it should accept a connection at port %u, where this process does not listen",
               (uint64_t)word_port(e->aux[1]));
}

EXPORT int listen(int fd, int backlog) {
  if (!replaying())
    return (int)answered(SYSTEM(listen, fd, backlog));
  const event *e = turn_whole(EVERETT_API_listen);
  for (uint32_t at = 0; e->error == 0 && at + sizeof(uint16_t) <= e->data_bytes; at += sizeof(uint16_t)) {
    uint16_t port;
    memcpy(&port, event_data(e) + at, sizeof port);
    expose(port);
  }
  /* More connections may arrive at once than the script lets in. */
  long result = e->error == 0 ? SYSTEM(listen, fd, backlog < 128 ? 128 : backlog) : 0;
  return (int)end(e, result, "listen");
}

/* The connection whose other end is the one of the script. */
static int connection_from(const event *e, int listener) {
  uint64_t until = host_time_ns() + patience_ns();
  struct stat_ status = {0};
  SYSTEM(fstat, listener, &status);
  int found = find_in_pool(status.inode, e);
  while (found < 0) {
    if (!wait_ready(listener, POLLIN_, until))
      turn_diverge("it should accept a connection from %a:%u, which has not arrived",
                   word_ip(e->aux[0]), (uint64_t)word_port(e->aux[0]));
    struct arrival new = {status.inode, {0}, 0};
    uint32_t size = sizeof new.peer;
    long fd = SYSTEM(accept4, listener, &new.peer, &size, SOCK_CLOEXEC_);
    if (fd < 0)
      continue;
    if (new.peer.family != AF_INET_)
      return (int)fd;
    new.fd = (int)own_copy((int)fd);
    SYSTEM(close, fd);
    if (is_wanted(&new, status.inode, e))
      found = new.fd;
    else
      put_into_pool(&new);
  }
  return found;
}

static int accepted(unsigned api, int fd, void *address, uint32_t *size, int flags) {
  const event *e = turn_whole(api);
  long result = 0;
  if (e->error == 0) {
    int connection = connection_from(e, arrives_at(e, fd));
    result = numbered(connection, e->result, flags & SOCK_CLOEXEC_);
    SYSTEM(fcntl, e->result, F_SETFD_, flags & SOCK_CLOEXEC_ ? 1 : 0);
    long status = SYSTEM(fcntl, e->result, F_GETFL_);
    if (flags & SOCK_NONBLOCK_)
      SYSTEM(fcntl, e->result, F_SETFL_, status | O_NONBLOCK_);
    give_address(event_data(e), e->data_bytes, address, size);
  }
  return (int)end(e, result, "accept");
}

EXPORT int accept(int fd, void *address, uint32_t *size) {
  if (!replaying())
    return (int)answered(SYSTEM(accept, fd, address, size));
  return accepted(EVERETT_API_accept, fd, address, size, 0);
}

EXPORT int accept4(int fd, void *address, uint32_t *size, int flags) {
  if (!replaying())
    return (int)answered(SYSTEM(accept4, fd, address, size, flags));
  return accepted(EVERETT_API_accept4, fd, address, size, flags);
}

/* A connection that is being made. Whoever listens may begin to after the request was made, as it takes a
 * round to arrive: so it is tried again until it is there. */
struct attempt {
  int fd;
  struct address to;
  uint32_t size;
};

static int try_to_connect(void *argument) {
  struct attempt *of = argument;
  struct address peer;
  uint32_t size = sizeof peer;
  if (SYSTEM(getpeername, of->fd, &peer, &size) == 0)
    return 0;
  long result = SYSTEM(connect, of->fd, &of->to, of->size);
  return !(result == 0 || result == -E_ISCONN);
}

/* Connections that the program waits for by other means than connect, up to a few at a time. */
static struct attempt attempts[16];

int chores(void) {
  static uint32_t is_busy;
  uint32_t no = 0;
  int left = 0;
  if (!__atomic_compare_exchange_n(&is_busy, &no, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return 1;
  for (unsigned i = 0; i < 16; i++)
    if (attempts[i].size > 0) {
      if (try_to_connect(&attempts[i]))
        left = 1;
      else
        attempts[i].size = 0;
    }
  __atomic_store_n(&is_busy, 0, __ATOMIC_SEQ_CST);
  return left;
}

void forget_chores(void) { memset(attempts, 0, sizeof attempts); }

static void connect_later(struct attempt new) {
  for (unsigned i = 0; i < 16; i++)
    if (attempts[i].size == 0) {
      attempts[i] = new;
      chores();
      return;
    }
  turn_diverge("more than 16 connections are being made");
}

/* Connects in the time that the script gives; the descriptor is nonblocking meanwhile, so that nothing is
 * missed while it waits for its turn. */
static const event *connect_stream(const event *e, struct attempt *attempt) {
  int old = (int)SYSTEM(fcntl, attempt->fd, F_GETFL_);
  SYSTEM(fcntl, attempt->fd, F_SETFL_, old | O_NONBLOCK_);
  uint64_t soon = host_time_ns() + 20000000u;
  /* Those who connect one after the other are mostly accepted in that order. */
  while (try_to_connect(attempt) && host_time_ns() < soon)
    host_sleep_ns(200000);
  if (e->flags & EVERETT_BLOCKS) {
    self.background = try_to_connect;
    self.background_of = attempt;
    e = turn_return(e);
  }
  for (uint64_t until = host_time_ns() + patience_ns(); try_to_connect(attempt);) {
    if (host_time_ns() >= until)
      turn_diverge("it should connect to %a:%u, which does not work", swap_32(attempt->to.ip),
                   (uint64_t)swap_16(attempt->to.port));
    host_sleep_ns(1000000);
  }
  SYSTEM(fcntl, attempt->fd, F_SETFL_, old);
  return e;
}

/* Makes a UNIX socket, whose connection leads to another node, one that can be connected to that. */
static void become_internet(int fd) {
  long status = SYSTEM(fcntl, fd, F_GETFL_), close_on_exec = SYSTEM(fcntl, fd, F_GETFD_);
  long stream = SYSTEM(socket, AF_INET_, SOCK_STREAM_, 0);
  numbered((int)stream, fd, close_on_exec & 1);
  SYSTEM(fcntl, fd, F_SETFL_, status);
}

EXPORT int connect(int fd, const struct address *address, uint32_t size) {
  if (!replaying())
    return (int)answered(SYSTEM(connect, fd, address, size));
  const event *e = turn_take(EVERETT_API_connect);
  const event *outcome = e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
  struct attempt attempt = {fd, {0}, size};
  int internet = is_internet(address, size);
  const event *known = outcome ? outcome : e;
  if (internet) {
    attempt.to = native_meaning(address, known->aux[0]);
    attempt.size = sizeof attempt.to;
  }
  long result = 0;
  int has_worked = outcome && outcome->error == 0;
  if (!internet && has_worked && known->aux[0] != 0) {
    become_internet(fd);
    attempt.to = native_address(word_ip(known->aux[0]), word_port(known->aux[0]));
    attempt.size = sizeof attempt.to;
    internet = 1;
  }
  if (internet && (has_worked || known->aux[3] == 1)) {
    bind_to_own(fd, known->aux[1]);
    if (e->flags & EVERETT_DATAGRAM)
      result = SYSTEM(connect, fd, &attempt.to, attempt.size);
    else if (has_worked)
      e = connect_stream(e, &attempt);
    else
      connect_later(attempt);
  } else if (!internet && has_worked) {
    result = SYSTEM(connect, fd, address, size);
  }
  if (e->flags & EVERETT_BLOCKS)
    e = turn_return(e);
  return (int)end(e, result, "connect");
}

EXPORT int shutdown(int fd, int how) {
  if (!replaying())
    return (int)answered(system_call(48, fd, how, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_shutdown);
  /* The other side learns of it from the script. */
  return (int)end(e, 0, "shutdown");
}

static int name_of(unsigned api, void *address, uint32_t *size) {
  const event *e = turn_whole(api);
  if (e->error == 0)
    give_address(event_data(e), e->data_bytes, address, size);
  return (int)end(e, 0, "getsockname");
}

EXPORT int getsockname(int fd, void *address, uint32_t *size) {
  if (!replaying())
    return (int)answered(SYSTEM(getsockname, fd, address, size));
  return name_of(EVERETT_API_getsockname, address, size);
}

EXPORT int getpeername(int fd, void *address, uint32_t *size) {
  if (!replaying())
    return (int)answered(SYSTEM(getpeername, fd, address, size));
  return name_of(EVERETT_API_getpeername, address, size);
}

EXPORT int getsockopt(int fd, int level, int option, void *value, uint32_t *size) {
  if (!replaying())
    return (int)answered(SYSTEM(getsockopt, fd, level, option, value, size));
  const event *e = turn_whole(EVERETT_API_getsockopt);
  if (e->error == 0)
    give_address(event_data(e), e->data_bytes, value, size);
  return (int)end(e, 0, "getsockopt");
}

/* Natively there are only sockets of IPv4: one that joins a group joins the one that stands for it. */
static void set_ipv6(int fd, int option, const unsigned char *value, uint32_t size) {
  enum { IPPROTO_IP = 0, IP_ADD = 35, IP_DROP = 36, IPV6_ADD = 20, IPV6_DROP = 21, GROUP_BYTES = 16 };
  if ((option != IPV6_ADD && option != IPV6_DROP) || size < GROUP_BYTES)
    return;
  unsigned char membership[8] = {239, value[13], value[14], value[15]};
  SYSTEM(setsockopt, fd, IPPROTO_IP, option == IPV6_ADD ? IP_ADD : IP_DROP, membership, sizeof membership);
}

EXPORT int setsockopt(int fd, int level, int option, const void *value, uint32_t size) {
  if (!replaying())
    return (int)answered(SYSTEM(setsockopt, fd, level, option, value, size));
  const event *e = turn_whole(EVERETT_API_setsockopt);
  /* Sizes and times of buffers must not hold up what the script says has happened. */
  enum { SO_SNDBUF = 7, SO_RCVBUF = 8, SO_LINGER = 13, SO_REUSEPORT = 15, SO_RCVLOWAT = 18, SO_RCVTIMEO = 20, SO_SNDTIMEO = 21 };
  int is_buffer = level == SOL_SOCKET_ && (option == SO_SNDBUF || option == SO_RCVBUF || option == SO_LINGER ||
                                           option == SO_RCVLOWAT || option == SO_RCVTIMEO || option == SO_SNDTIMEO);
  if (e->error == 0 && !is_buffer && level != IPPROTO_IPV6_)
    SYSTEM(setsockopt, fd, level, option, value, size);
  else if (e->error == 0 && level == IPPROTO_IPV6_)
    set_ipv6(fd, option, value, size);
  return (int)end(e, 0, "setsockopt");
}

EXPORT int sockatmark(int fd) {
  int is_there = 0;
  if (!replaying())
    return REAL(sockatmark)(fd);
  const event *e = turn_whole(EVERETT_API_sockatmark);
  if (e->error == 0 && e->data_bytes == sizeof is_there)
    memcpy(&is_there, event_data(e), sizeof is_there);
  return end(e, 0, "sockatmark") < 0 ? -1 : is_there;
}

EXPORT long recv(int fd, void *buffer, size_t size, int flags) {
  if (!replaying())
    return answered(SYSTEM(recvfrom, fd, buffer, size, flags, 0, 0));
  struct iovec_ vector = {buffer, size};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1};
  return receive(EVERETT_API_recv, fd, &message, flags);
}

EXPORT long recvfrom(int fd, void *buffer, size_t size, int flags, void *address, uint32_t *room) {
  if (!replaying())
    return answered(SYSTEM(recvfrom, fd, buffer, size, flags, address, room));
  struct iovec_ vector = {buffer, size};
  struct msghdr_ message = {address, room ? *room : 0, 0, &vector, 1, 0, 0, 0, 0, 0, 0};
  long result = receive(EVERETT_API_recvfrom, fd, &message, flags);
  if (room && result >= 0)
    *room = message.name_length;
  return result;
}

/* Functions that glibc's headers call with -D_FORTIFY_SOURCE. */
EXPORT long __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags) {
  return (void)room, recv(fd, buffer, size, flags);
}

EXPORT long __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags, void *address,
                           uint32_t *address_room) {
  return (void)room, recvfrom(fd, buffer, size, flags, address, address_room);
}

EXPORT long recvmsg(int fd, struct msghdr_ *message, int flags) {
  if (!replaying())
    return answered(SYSTEM(recvmsg, fd, message, flags));
  return receive(EVERETT_API_recvmsg, fd, message, flags);
}

EXPORT long send(int fd, const void *buffer, size_t size, int flags) {
  if (!replaying())
    return answered(SYSTEM(sendto, fd, buffer, size, flags, 0, 0));
  struct iovec_ vector = {(void *)buffer, size};
  struct msghdr_ message = {.vector = &vector, .vector_length = 1};
  return transmit(EVERETT_API_send, fd, &message, flags);
}

EXPORT long sendto(int fd, const void *buffer, size_t size, int flags, const void *address,
                   uint32_t address_size) {
  if (!replaying())
    return answered(SYSTEM(sendto, fd, buffer, size, flags, address, address_size));
  struct iovec_ vector = {(void *)buffer, size};
  struct msghdr_ message = {(void *)address, address_size, 0, &vector, 1, 0, 0, 0, 0, 0, 0};
  return transmit(EVERETT_API_sendto, fd, &message, flags);
}

EXPORT long sendmsg(int fd, const struct msghdr_ *message, int flags) {
  if (!replaying())
    return answered(SYSTEM(sendmsg, fd, message, flags));
  return transmit(EVERETT_API_sendmsg, fd, message, flags);
}

/* As in musl, this is nothing but one call after the other. */
EXPORT int sendmmsg(int fd, struct mmsghdr_ *messages, unsigned count, int flags) {
  if (!replaying())
    return REAL(sendmmsg)(fd, messages, count, flags);
  unsigned done = 0;
  for (; done < count; done++) {
    long sent = transmit(EVERETT_API_sendmmsg, fd, &messages[done].header, flags);
    if (sent < 0)
      break;
    messages[done].length = (uint32_t)sent;
  }
  return done > 0 || count == 0 ? (int)done : -1;
}

/* Each message has its event. */
EXPORT int recvmmsg(int fd, struct mmsghdr_ *messages, unsigned count, int flags, void *time) {
  enum { WAIT_FOR_ONE = 0x10000 };
  if (!replaying())
    return REAL(recvmmsg)(fd, messages, count, flags, time);
  for (unsigned done = 0;;) {
    const event *e = turn_take(EVERETT_API_recvmmsg);
    const event *outcome = e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
    int has_more = outcome && outcome->flags & EVERETT_MORE;
    if (done == count)
      turn_diverge("it receives %u messages at once, expected more", (uint64_t)count);
    long got = receive_event(e, fd, &messages[done].header, flags & ~WAIT_FOR_ONE);
    if (got < 0)
      return -1;
    messages[done++].length = (uint32_t)got;
    if (!has_more)
      return (int)done;
  }
}

EXPORT int socketpair(int domain, int type, int protocol, int pair[2]) {
  int made[2];
  long result = system_call(53, domain, type, protocol, (long)made, 0, 0);
  if (!replaying()) {
    memcpy(pair, made, result == 0 ? sizeof made : 0);
    return (int)answered(result);
  }
  const event *e = turn_whole(EVERETT_API_socketpair);
  if (e->error == 0)
    pair[0] = made[0], pair[1] = made[1];
  else
    SYSTEM(close, made[0]), SYSTEM(close, made[1]);
  if (e->error == 0 && result == 0 && memcmp(made, event_data(e), sizeof made) != 0)
    turn_diverge("socketpair has made descriptors %d and %d", (int64_t)made[0], (int64_t)made[1]);
  return (int)end(e, result, "socketpair");
}
