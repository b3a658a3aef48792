//@ native: yes
//@ cflags: -std=c++17
// Strings: short and long ones, conversions, searches.
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

int main() {
  std::string text = "short";
  text += std::string(" and then a good deal longer");
  text.insert(5, 3, '!').replace(0, 1, "SH").erase(10, 4);
  std::printf("%s %zu\n", text.c_str(), text.size());
  std::printf("%zu %zu %zu\n", text.find("good"), text.rfind('n'), text.find_first_of("xyz"));
  std::printf("%s|%s\n", text.substr(3, 8).c_str(), text.substr(text.size()).c_str());
  std::printf("%d %d\n", text.compare("SHort") > 0, std::string("a") < std::string("b"));
  std::string moved = std::move(text);
  text = "reused";
  std::printf("%s %s\n", moved.c_str(), text.c_str());
  std::printf("%s %s\n", std::to_string(-17).c_str(), std::to_string(2.5).c_str());
  std::printf("%d %lu %.3f\n", std::stoi("0x1f", nullptr, 16), std::stoul("77"), std::stod("1e-2"));
  char digits[16];
  auto end = std::to_chars(digits, digits + sizeof digits, 12345).ptr;
  std::string_view view(digits, end - digits);
  view.remove_prefix(2);
  int number = 0;
  std::from_chars(view.data(), view.data() + view.size(), number);
  std::printf("%d %zu\n", number, view.find('5'));
  std::wstring wide = L"wide";
  wide += L" text";
  std::printf("%zu\n", wide.size());
}
