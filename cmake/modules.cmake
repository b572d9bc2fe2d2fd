# lectern_module(NAME USES other...): static library lectern_NAME from src/NAME/*.cpp (and
# src/NAME/*/*.cpp). Adding a file to a folder is all it takes to build it.
add_library(lectern_options INTERFACE)
target_compile_options(lectern_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # Requests are written with designated initialisers: what is left out has its default.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of gcc 12 inside std::string and tl::expected when optimising (gcc bugs
  # 105329, 105651); clang-tidy and the sanitizers watch the same ground.
  target_compile_options(lectern_options INTERFACE
    -Wno-restrict -Wno-dangling-pointer -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 headers and Debian's libraries are compiled as system headers; ours are strict.
  target_compile_options(lectern_options INTERFACE -Wno-gnu-zero-variadic-macro-arguments)
endif()

function(lectern_module name)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  add_library(lectern_${name} STATIC ${sources})
  target_include_directories(lectern_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(lectern_${name} PRIVATE lectern_options)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(lectern_${name} PUBLIC lectern_${used})
  endforeach()
endfunction()
