// As sources.cpp, apart from it because both files have helpers of one name.
#include "cli/args.cpp"
