//@ cflags: -std=c++17
// Paths are taken apart, joined and made normal without a look at any file.
#include <filesystem>
#include <iomanip>
#include <iostream>

namespace fs = std::filesystem;

int main() {
  for (const char *text : {"/usr/lib/libc.so.6", "a//b/./c/../d.txt", "/", "..", ".hidden", "folder/", ""}) {
    const fs::path path(text);
    std::cout << path << ": " << path.root_path() << path.parent_path() << path.filename() << path.stem()
              << path.extension() << ' ' << path.lexically_normal() << ' ' << path.is_absolute() << " [";
    for (const fs::path &part : path)
      std::cout << part.string() << '|';
    std::cout << "]\n";
  }
  fs::path path = "/srv/data";
  path /= "x";
  path += "yz";
  path.replace_extension("txt");
  std::cout << path << ' ' << path / "/etc" << ' ' << path.replace_filename("other") << '\n';
  std::cout << path.lexically_relative("/srv/log/x") << ' ' << fs::path("/a/b").lexically_proximate("/a")
            << '\n';
  std::cout << (fs::path("a//b") == fs::path("a/b")) << (fs::path("a/b") < fs::path("a.b")) << ' '
            << path.remove_filename().u8string() << '\n';
}
