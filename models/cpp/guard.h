// Shared by the shim's files: exceptions become -1 with a message.
#pragma once

#include <exception>
#include <string>

extern thread_local std::string lexforge_last_error;

template <typename F>
int guarded(F&& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& e) {
    lexforge_last_error = e.what();
  } catch (...) {
    lexforge_last_error = "an unknown C++ exception";
  }
  return -1;
}
