// CHECK: assertions about our own code that stay on in release builds. Never for
// anything a user, a file or the network can cause; that is Result's work.
#pragma once

#include <cstdio>
#include <cstdlib>

#define LECTERN_CHECK(condition, why)                                                              \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      std::fprintf(stderr, "%s:%d: check failed: %s (%s)\n", __FILE__, __LINE__, #condition, why); \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)
