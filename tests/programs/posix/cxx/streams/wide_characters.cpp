//@ cflags: -std=c++17
// Wide streams and strings format and parse as narrow ones do, and are written as bytes.
#include <cwchar>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

int main() {
  std::wstring text = L"wide";
  text += L" \x3b1\x20ac";
  std::wostringstream out;
  out << std::setw(8) << std::setfill(L'.') << 42 << L' ' << std::hex << std::showbase << 255 << L' ' << 2.5
      << L' ' << "narrow" << L' ' << text.size();
  std::wcout << out.str() << std::endl;
  std::wistringstream in(L"17 words 0.5");
  int number;
  double fraction;
  std::wstring word;
  in >> number >> word >> fraction;
  std::wcout << number + 1 << L'|' << word << L'|' << fraction * 3 << std::endl;
  std::wcout << std::stoi(std::wstring(L"77")) + 1 << L' ' << std::to_wstring(-3.25) << L' '
             << text.find(L'\x20ac') << L' ' << (text.compare(L"wild") < 0) << std::endl;
  const auto &ctype = std::use_facet<std::ctype<wchar_t>>(std::locale::classic());
  std::wcout << ctype.toupper(L'w') << ctype.narrow(L'\x20ac', '?') << ctype.widen('x') << L' '
             << ctype.is(std::ctype_base::alpha, L'q') << std::endl;
}
