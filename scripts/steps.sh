# Sourced by demo, test and lint: named steps with their logs, and builds that recover from
# whatever an earlier run left behind. Expects the repository's root as working folder.

logs=$PWD/build/logs
mkdir -p "$logs"

# Compilers keep their results where the environment says, else where ccache does by default,
# else (no home) in the build folder. Paths are made relative, so that clones share them.
if [[ -z ${CCACHE_DIR:-} ]]; then
  if [[ -z ${HOME:-} || ! -d ${HOME:-} || ! -w ${HOME:-} ]]; then
    export CCACHE_DIR=$PWD/build/ccache
  fi
fi
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

# A compiler of this code takes up to about 1 GB.
if [[ -z ${LECTERN_JOBS:-} ]]; then
  cores=$(nproc 2>/dev/null || echo 2)
  memory_gb=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 2)
  LECTERN_JOBS=$((memory_gb < cores ? (memory_gb < 1 ? 1 : memory_gb) : cores))
fi
export LECTERN_JOBS

# step NAME COMMAND...: runs it, its output into a log; on failure shows the log's tail and
# returns its status.
step() {
  local name=$1 started=$SECONDS status=0
  shift
  step_log=$logs/${name//[^A-Za-z0-9]/-}.log
  printf '==> %s\n' "$name"
  "$@" >"$step_log" 2>&1 || status=$?
  if ((status != 0)); then
    printf '\n!!! %s failed (exit %d) after %d s. The end of %s:\n\n' \
      "$name" "$status" $((SECONDS - started)) "${step_log#"$PWD"/}" >&2
    tail -n 30 "$step_log" >&2
    printf '\n' >&2
    return "$status"
  fi
  if ((SECONDS - started > 1)); then printf '    %d s\n' $((SECONDS - started)); fi
}

# What a build folder was made with, when that no longer fits; empty when it does.
stale_reason() {
  local cache=build/$1/CMakeCache.txt compiler
  [[ -f $cache ]] || return 0
  value() { sed -n "s|^$1:[^=]*=||p" "$cache" | head -n 1; }
  if [[ $(value CMAKE_HOME_DIRECTORY) != "$PWD" ]]; then
    echo "it was configured for another folder"
  elif [[ $(value CMAKE_GENERATOR) != Ninja ]]; then
    echo "it was configured for another generator"
  else
    compiler=$(value CMAKE_CXX_COMPILER)
    if [[ -n $compiler && ! -x $compiler ]] && ! command -v "$compiler" >/dev/null; then
      echo "its compiler $compiler is gone"
    elif [[ -n ${CXX:-} && $1 != fuzz && -n $compiler &&
      $(readlink -f "$(command -v "$CXX")") != $(readlink -f "$(command -v "$compiler")") ]]; then
      echo "it was configured for $compiler, CXX now says $CXX"
    fi
  fi
}

# configure PRESET: makes build/PRESET ready for ninja; leaves a good one alone.
configure() {
  local reason
  reason=$(stale_reason "$1")
  if [[ -n $reason ]]; then
    echo "build/$1 is configured anew: $reason"
    rm -rf "build/$1/CMakeCache.txt" "build/$1/CMakeFiles"
  elif [[ -f build/$1/build.ninja && -f build/$1/CMakeCache.txt &&
    build/$1/build.ninja -nt CMakePresets.json ]]; then
    return 0
  fi
  cmake --preset "$1" && return 0
  echo "a second try, from an empty cache"
  cmake --preset "$1" --fresh
}

# build PRESET [TARGET...]: builds; when something other than our code fails (a truncated
# object or library of a killed build, a broken cache), once more from the start.
build() {
  local preset=$1 output status=0
  shift
  local command=(cmake --build "build/$preset" -j "$LECTERN_JOBS")
  (($# == 0)) || command+=(--target "$@")
  output=$(mktemp)
  "${command[@]}" 2>&1 | tee "$output" || status=$?  # callers set pipefail
  if ((status != 0)); then
    if grep -qE '^[^ ]+\.(cpp|h|hpp|cc):[0-9]+:[0-9]+: (fatal )?error:' "$output"; then
      rm -f "$output"
      return "$status"
    fi
    if grep -qiE 'Killed signal|out of memory|No space left' "$output"; then
      echo "memory or disk ran out: free some, or build with LECTERN_JOBS=1"
      rm -f "$output"
      return "$status"
    fi
    echo "not an error of the code: a second try, from an empty build folder"
    rm -rf "build/$preset"
    status=0
    { cmake --preset "$preset" && "${command[@]}"; } || status=$?
  fi
  rm -f "$output"
  return "$status"
}

# Says what a failed build most likely wants.
build_hint() {
  cat >&2 <<HINT
What to do: read the first "error" in the log above. It is safe to run this again at any time.
If it names a missing library, run scripts/bootstrap; if it is about the build folder itself,
remove build/$1 and run again; if memory ran out, set LECTERN_JOBS=1.
HINT
}
