/* Sending: all that the script says was taken is really sent, and must be the same bytes. */
#include "socket.h"

/* The bytes that a call has still to send. */
struct pending {
  int fd;
  int is_socket;
  struct iovec_ vector[16];
  int count;
  size_t left;
};

/* Of the buffers of a call, the first so many bytes. */
static void cut(struct pending *to, const struct msghdr_ *message, size_t size) {
  to->count = 0;
  to->left = 0;
  for (int i = 0; i < message->vector_length && to->count < 16 && to->left < size; i++) {
    struct iovec_ part = message->vector[i];
    if (part.length > size - to->left)
      part.length = size - to->left;
    to->vector[to->count++] = part;
    to->left += part.length;
  }
}

static size_t size_of(const struct msghdr_ *message) {
  size_t size = 0;
  for (int i = 0; i < message->vector_length; i++)
    size += message->vector[i].length;
  return size;
}

static void sent(struct pending *of, size_t size) {
  of->left -= size;
  while (size > 0 && of->count > 0) {
    size_t part = size < of->vector[0].length ? size : of->vector[0].length;
    of->vector[0].base = (char *)of->vector[0].base + part;
    of->vector[0].length -= part;
    size -= part;
    if (of->vector[0].length == 0) {
      of->count--;
      memmove(of->vector, of->vector + 1, sizeof of->vector[0] * (size_t)of->count);
    }
  }
}

/* Sends what can be sent without waiting; whether something is left. */
static int push(void *argument) {
  struct pending *of = argument;
  while (of->left > 0) {
    struct msghdr_ message = {.vector = of->vector, .vector_length = of->count};
    int old = 0;
    long done;
    if (of->is_socket) {
      done = SYSTEM(sendmsg, of->fd, &message, MSG_DONTWAIT_ | MSG_NOSIGNAL_);
    } else {
      old = (int)SYSTEM(fcntl, of->fd, F_GETFL_);
      SYSTEM(fcntl, of->fd, F_SETFL_, old | O_NONBLOCK_);
      done = SYSTEM(writev, of->fd, of->vector, of->count);
      SYSTEM(fcntl, of->fd, F_SETFL_, old);
    }
    if (done == -E_AGAIN)
      return 1;
    if (done == -E_INTR)
      continue;
    /* The other side is gone; the script knows what the program is told, and when. */
    if (done < 0)
      return of->left = 0, 0;
    sent(of, (size_t)done);
  }
  return 0;
}

static void compare(const event *e, const struct msghdr_ *message) {
  size_t at = 0;
  for (int i = 0; i < message->vector_length && at < e->data_bytes; i++) {
    size_t begin = at;
    const unsigned char *ours = message->vector[i].base;
    if (!same_bytes(e, ours, message->vector[i].length, &at))
      turn_diverge("it sends other bytes: the one at %u is %x, expected %x", (uint64_t)at,
                   (uint64_t)ours[at - begin], (uint64_t)event_data(e)[at]);
  }
  if (at < e->data_bytes)
    turn_diverge("it sends %u bytes, expected %u", (uint64_t)at, (uint64_t)e->data_bytes);
}

struct copies {
  int fd;
  const struct msghdr_ *message;
  uint16_t port;
};

static void send_copy(void *argument, uint32_t ip) {
  struct copies *of = argument;
  struct address to = {AF_INET_, of->port, swap_32(ip), {0}};
  struct msghdr_ message = *of->message;
  message.name = &to;
  message.name_length = sizeof to;
  SYSTEM(sendmsg, of->fd, &message, MSG_NOSIGNAL_);
}

/* One datagram, which goes where the program says. */
static void send_datagram(const event *e, int fd, const struct msghdr_ *message) {
  struct msghdr_ native = *message;
  struct address to;
  const struct address *given = message->name;
  native.control_length = 0;
  if (turn_is_early(e)) {
    keep_early(e, message);
    return;
  }
  if (given && is_internet(given, message->name_length)) {
    uint32_t ip = given->family == AF_INET6_ ? word_ip(e->aux[0]) : swap_32(given->ip);
    if (on_loopback() && goes_to_many(ip)) {
      struct copies copies = {fd, &native, given->port};
      each_node(send_copy, &copies);
      return;
    }
    to = native_meaning(given, e->aux[0]);
    native.name = &to;
    native.name_length = sizeof to;
  }
  uint64_t until = host_time_ns() + patience_ns();
  for (;;) {
    long done = SYSTEM(sendmsg, fd, &native, MSG_DONTWAIT_ | MSG_NOSIGNAL_);
    if (done >= 0 && done != e->result)
      turn_diverge("it sends %d bytes, expected %d", (int64_t)done, e->result);
    if (done >= 0)
      return;
    /* The error of an earlier packet is told once. */
    if (done != -E_AGAIN && done != -E_CONNREFUSED && done != -E_INTR)
      turn_diverge("what it sends cannot be sent: error %d", (int64_t)-done);
    if (host_time_ns() >= until)
      turn_diverge("what it sends cannot be sent in time");
  }
}

/* A call on a stream, a pipe, or anything else that takes bytes; `all` is what it takes in the end. */
static void send_stream(const event *e, int fd, const struct msghdr_ *message, size_t all,
                        struct pending *pending) {
  pending->fd = fd;
  struct address name;
  uint32_t size = sizeof name;
  pending->is_socket = SYSTEM(getsockname, fd, &name, &size) == 0;
  cut(pending, message, all);
  uint64_t until = host_time_ns() + patience_ns();
  while (push(pending) && !(e->flags & EVERETT_BLOCKS))
    if (!wait_ready(fd, POLLOUT_, until))
      turn_diverge("it should send %u bytes, of which %u cannot be sent", (uint64_t)all,
                   (uint64_t)pending->left);
}

/* A message within the node, with descriptors perhaps. */
static void send_within(const event *e, int fd, const struct msghdr_ *message) {
  long done = SYSTEM(sendmsg, fd, message, MSG_DONTWAIT_ | MSG_NOSIGNAL_);
  if (done != e->result)
    turn_diverge("it sends %d bytes, expected %d", (int64_t)done, e->result);
}

long transmit_event(const event *e, int fd, const struct msghdr_ *message, int flags) {
  (void)flags;
  struct pending pending;
  const event *outcome = e->flags & EVERETT_BLOCKS ? turn_future(e) : e;
  int has_failed = outcome && (outcome->error != 0 || outcome->flags & EVERETT_FED);
  if (!has_failed) {
    size_t all = outcome ? (size_t)outcome->result : size_of(message);
    if (outcome)
      compare(outcome, message);
    bind_to_own(fd, (outcome ? outcome : e)->aux[1]);
    if (e->flags & EVERETT_DATAGRAM && outcome)
      send_datagram(outcome, fd, message);
    else if (e->flags & EVERETT_WITHIN && outcome && (message->control_length > 0 || message->name))
      send_within(outcome, fd, message);
    else if (!(e->flags & EVERETT_DATAGRAM))
      send_stream(e, fd, message, all, &pending);
  }
  if (e->flags & EVERETT_BLOCKS) {
    if (!has_failed && !(e->flags & EVERETT_DATAGRAM) && pending.left > 0) {
      self.background = push;
      self.background_of = &pending;
    }
    e = turn_return(e);
    if (!has_failed && !(e->flags & EVERETT_DATAGRAM))
      for (uint64_t until = host_time_ns() + patience_ns(); push(&pending);)
        if (!wait_ready(fd, POLLOUT_, until))
          turn_diverge("it should send %d bytes, of which %u cannot be sent", e->result,
                       (uint64_t)pending.left);
  }
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

long transmit(unsigned api, int fd, const struct msghdr_ *message, int flags) {
  return transmit_event(turn_take(api), fd, message, flags);
}
