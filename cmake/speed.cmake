# Faster builds where the tools for it are installed: ccache, and mold as the linker.
find_program(LECTERN_CCACHE ccache)
if(LECTERN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LECTERN_CCACHE})
endif()

find_program(LECTERN_MOLD mold)
# gcc knows -fuse-ld=mold since 12.1, clang since 12.
if(LECTERN_MOLD AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
  add_link_options(-fuse-ld=mold)
endif()
