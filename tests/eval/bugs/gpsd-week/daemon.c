/* A daemon that reads what a receiver of satellites sends, and tells others the time. The satellites send the week
 * with 10 bits only; the daemon knows that it is not earlier than the day on which it was built. They also send the
 * number of leap seconds since 1980. */
#include <stdint.h>

#include "../../../systems/sockets.h"

enum { PACKET_BYTES = 10, SYNC = 0xb5, CLASS_TIME = 0x20 };
enum { ROLLOVER = 1024, SECONDS_A_WEEK = 7 * 24 * 60 * 60 };

static const int64_t gps_epoch = 315964800;   /* 1980-01-06 */
static const int64_t build_time = 1609459200; /* 2021-01-01 */

/* A packet is a mark, a class, the week, the second of the week, the leap seconds and a sum. */
static int is_packet(const unsigned char *packet) {
  unsigned char sum = 0;
  for (int i = 0; i < PACKET_BYTES - 1; i++) sum += packet[i];
  return packet[0] == SYNC && packet[1] == CLASS_TIME && sum == packet[PACKET_BYTES - 1];
}

/* The number of a week since 1980, of which the last 10 bits are known. */
static int resolve_week(int week, int leap_seconds) {
  int build_week = (build_time - gps_epoch) / SECONDS_A_WEEK;
  week += build_week / ROLLOVER * ROLLOVER;
  if (week < build_week) week += ROLLOVER;
#ifdef REPAIRED
  (void)leap_seconds;
#else
  /* There will be a nineteenth leap second by then, so this is a receiver that counts from elsewhere. */
  if (leap_seconds > 0 && leap_seconds < 19 && week > 2180) week -= ROLLOVER;
#endif
  return week;
}

/* The time of a packet, in seconds since 1970. Returns -1 if it has none. */
static int64_t resolve_time(const unsigned char *packet) {
  int week = packet[2] << 8 | packet[3], leap_seconds = packet[8];
  uint32_t second = (uint32_t)packet[4] << 24 | packet[5] << 16 | packet[6] << 8 | packet[7];
  if (week >= ROLLOVER || second >= SECONDS_A_WEEK || leap_seconds > 60) return -1;
  return gps_epoch + (int64_t)resolve_week(week, leap_seconds) * SECONDS_A_WEEK + second - leap_seconds;
}

int main(void) {
  int receiver = bound(SOCK_DGRAM, 2947);
  int clients = connected(SOCK_DGRAM, "clock", 1123);
  for (;;) {
    unsigned char packet[PACKET_BYTES];
    if (recv(receiver, packet, sizeof packet, 0) != sizeof packet || !is_packet(packet)) continue;
    int64_t time = resolve_time(packet);
    if (time >= 0) assert(send(clients, &time, sizeof time, 0) == sizeof time);
  }
}
