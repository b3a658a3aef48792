//@ cflags: -std=c++20
// Durations and points in time are converted, rounded and compared, and days have dates.
#include <chrono>
#include <iostream>

using namespace std::chrono;
using namespace std::chrono_literals;

volatile long ticks = 98765;

int main() {
  milliseconds span(ticks);
  std::cout << duration_cast<seconds>(span).count() << ' ' << floor<seconds>(-span).count() << ' '
            << round<seconds>(span).count() << ' ' << ceil<minutes>(span).count() << '\n';
  std::cout << (span + 1s).count() << ' ' << (span % 1min).count() << ' ' << (2h + 30min) / 45s
            << ' ' << duration<double, std::ratio<60>>(90s).count() << '\n';
  std::cout << (1000ms == 1s) << (59s < 1min) << ' ' << abs(-5s).count() << '\n';
  auto start = steady_clock::now();
  auto later = start + 250us;
  std::cout << (later > start) << ' ' << duration_cast<nanoseconds>(later - start).count() << '\n';
  system_clock::time_point epoch;
  std::cout << system_clock::to_time_t(epoch + 36h) << ' ' << (system_clock::now() > epoch) << '\n';

  year_month_day leap = 2024y / February / 29;
  std::cout << leap.ok() << (2023y / February / 29).ok() << ' '
            << sys_days(leap).time_since_epoch().count() << '\n';
  year_month_day last(2023y / February / std::chrono::last);
  std::cout << (unsigned)last.day() << ' ' << weekday(sys_days(leap)).c_encoding() << ' '
            << (sys_days(leap) - sys_days(1970y / 1 / 1)) / days(1) << '\n';
  hh_mm_ss time(duration_cast<seconds>(span) + 5h);
  std::cout << time.hours().count() << ':' << time.minutes().count() << ':' << time.seconds().count() << '\n';
}
