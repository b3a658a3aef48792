//@ cflags: -std=c++17
// std::filesystem makes, lists, copies, renames and removes what is below a folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static fs::path home;

static void list(const char *when) {
  std::vector<std::string> names;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(home)) {
    std::string name = entry.path().lexically_relative(home).generic_string();
    names.push_back(entry.is_directory() ? name + "/" : name + ":" + std::to_string(entry.file_size()));
  }
  std::sort(names.begin(), names.end());
  std::cout << when << ':';
  for (const std::string &name : names)
    std::cout << ' ' << name;
  std::cout << '\n';
}

int main() {
  char name[] = "/tmp/files.XXXXXX";
  home = mkdtemp(name);
  std::cout << fs::create_directories(home / "a/b/c") << fs::create_directories(home / "a/b") << '\n';
  std::ofstream(home / "a/one.txt") << "one";
  std::ofstream(home / "a/b/two.txt") << "two two";
  list("made");
  fs::copy(home / "a", home / "copy", fs::copy_options::recursive);
  fs::rename(home / "copy/one.txt", home / "renamed");
  fs::resize_file(home / "renamed", 1);
  std::cout << fs::remove(home / "a/one.txt") << fs::remove(home / "a/one.txt") << '\n';
  list("changed");
  fs::create_symlink("renamed", home / "link");
  std::cout << fs::is_symlink(home / "link") << fs::is_regular_file(home / "link") << ' '
            << fs::read_symlink(home / "link") << ' ' << fs::equivalent(home / "link", home / "renamed")
            << '\n';
  fs::permissions(home / "renamed", fs::perms::owner_read);
  std::cout << std::oct << (int)fs::status(home / "renamed").permissions() << std::dec << ' '
            << fs::exists(home / "nowhere") << fs::is_empty(home / "a/b/c") << '\n';
  std::error_code code;
  (void)fs::file_size(home / "nowhere", code);
  std::cout << (code == std::errc::no_such_file_or_directory) << '\n';
  try {
    fs::create_directory(home / "renamed/below");
  } catch (const fs::filesystem_error &error) {
    std::cout << error.path1().filename() << ' ' << (error.code() == std::errc::not_a_directory) << '\n';
  }
  fs::current_path(home / "a");
  std::cout << fs::absolute("x").lexically_relative(home) << ' ' << fs::canonical("b/../b/c").filename()
            << '\n';
  fs::current_path("/");
  std::cout << fs::remove_all(home) << ' ' << fs::exists(home) << '\n';
}
