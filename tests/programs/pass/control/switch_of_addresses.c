//@ native: yes
//@ opt: O0 O1 O2 O3
// A switch whose cases are addresses of objects of different sizes becomes a table of distances, which
// may be further apart than 32 bits can tell.
#include <stdio.h>

static const char large[3000] = "large";
static char small[8] = "small";

__attribute__((noinline)) const char *name(int n) {
  switch (n) {
#define CASE(number, text) case number: return text;
    CASE(0, "zero") CASE(1, "one") CASE(2, large) CASE(3, "three") CASE(4, "four") CASE(5, "five")
    CASE(6, "six") CASE(7, "seven") CASE(8, "eight") CASE(9, "nine") CASE(10, large + 1) CASE(11, "eleven")
    CASE(12, "twelve") CASE(13, small) CASE(14, "fourteen") CASE(15, "fifteen") CASE(16, "sixteen")
    CASE(17, "17") CASE(18, "18") CASE(19, "19") CASE(20, "20") CASE(21, "21") CASE(22, "22") CASE(23, "23")
    CASE(24, "24") CASE(25, "25") CASE(26, "26") CASE(27, "27") CASE(28, "28") CASE(29, "29") CASE(30, "30")
    CASE(31, "31") CASE(32, "32") CASE(33, "33") CASE(34, "34") CASE(35, "35") CASE(36, "36") CASE(37, "37")
    CASE(38, "38") CASE(39, "39") CASE(40, "40") CASE(41, "41") CASE(42, "42") CASE(43, "43") CASE(44, "44")
    CASE(45, "45") CASE(46, "46") CASE(47, "47") CASE(48, "48") CASE(49, "49") CASE(50, "50") CASE(51, "51")
    CASE(52, "52") CASE(53, "53") CASE(54, "54") CASE(55, "55") CASE(56, "56") CASE(57, "57") CASE(58, "58")
    CASE(59, "59") CASE(60, "60") CASE(61, "61") CASE(62, "62") CASE(63, "63") CASE(64, "64") CASE(65, "65")
    CASE(66, "66") CASE(67, "67") CASE(68, "68") CASE(69, "69") CASE(70, "70")
  default: return "other";
  }
}

int main(void) {
  for (volatile int n = -1; n < 72; n++)
    puts(name(n));
  return 0;
}
