//@ cflags: -std=c++17
// Engines with a fixed seed and their distributions give the same numbers everywhere.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

int main() {
  std::mt19937 random(2024);
  std::cout << random() << ' ' << random() << ' ';
  random.discard(700);
  std::cout << random() << '\n';
  std::minstd_rand small;
  small.discard(9998);
  std::cout << small() << ' ' << small() << '\n';
  std::mt19937_64 wide;
  std::cout << wide() << '\n';
  std::uniform_int_distribution<int> die(1, 6);
  std::bernoulli_distribution coin(0.25);
  std::discrete_distribution<int> weighted{1, 0, 3};
  int faces[7] = {}, heads = 0, thirds = 0, seconds = 0;
  for (int i = 0; i < 60; i++) {
    faces[die(random)]++;
    heads += coin(random);
    int which = weighted(random);
    seconds += which == 1;
    thirds += which == 2;
  }
  std::cout << std::accumulate(faces + 1, faces + 7, 0) << ' '
            << *std::min_element(faces + 1, faces + 7) << '\n';
  std::cout << heads << ' ' << seconds << ' ' << thirds << '\n';
  std::uniform_real_distribution<double> real(-1, 1);
  double one = real(random);
  std::cout << one << ' ' << std::generate_canonical<double, 53>(random) << '\n';
  std::vector<int> cards(10);
  std::iota(cards.begin(), cards.end(), 0);
  std::shuffle(cards.begin(), cards.end(), small);
  for (int card : cards)
    std::cout << card << ' ';
  std::seed_seq seeds{1, 2, 3};
  std::minstd_rand seeded(seeds), copy = seeded;
  std::cout << seeded() << ' ' << (seeded == copy) << ' ' << copy() << ' ' << (seeded == copy) << '\n';
}
