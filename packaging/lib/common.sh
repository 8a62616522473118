# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154 # variables are shared with the sourcing script; A && B || C is meant
# Sourced by setup, run and test: where things are, how we speak, how many jobs fit.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The one folder outside the checkout. CMake looks in the same place (cmake/roundpipe_cache.cmake).
export ROUNDPIPE_CACHE=${ROUNDPIPE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/roundpipe}
case $ROUNDPIPE_CACHE in
/*) ;;
*) ROUNDPIPE_CACHE=$PWD/$ROUNDPIPE_CACHE ;;
esac
cache=$ROUNDPIPE_CACHE
export PATH="$cache/bin:$cache/python/bin:$PATH"
export CCACHE_DIR=${CCACHE_DIR:-$cache/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
unset CUDACXX_GIVEN
[ -z "${CUDACXX:-}" ] || CUDACXX_GIVEN=$CUDACXX
unset CUDACXX # cuda/ in the cache is the toolkit that setup chose, CUDACXX's where it matches

say() { printf '%s\n' "$*"; }
die() {
    printf '\nroundpipe: %s\n' "$*" >&2
    exit 1
}

set -E # a command that fails where nobody thought of it must not end us in silence
trap 'printf "\nroundpipe: %s stopped at line %s\n" "${BASH_SOURCE[0]:-$0}" "$LINENO" >&2' ERR

refuse_spaces() { # for those who compile
    case $root$cache in
    *[[:space:]]*) die "neither the checkout ($root) nor the cache ($cache) may lie in a folder with a space in its name: the CUDA compiler does not take it. Move the checkout, or set ROUNDPIPE_CACHE." ;;
    esac
}

# show_progress TEXT COUNT EVERY: one line that changes, on a terminal; elsewhere a line every so many counts.
show_progress() {
    if [ -t 1 ]; then
        printf '\r  %s\e[K' "$1"
    elif [ $(($2 % $3)) = 0 ]; then
        printf '  %s\n' "$1"
    fi
}
end_progress() { [ ! -t 1 ] || printf '\r\e[K'; }

# A translation unit with LibTorch takes up to 2 GB: more jobs than memory holds would swap or be killed.
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 2000000) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    [ "$memory" -lt "$cores" ] && echo "$memory" || echo "$cores"
}

# configure_and_build "PARTS" [ninja targets]: brings build/release, the one folder of run and test, up to date. PARTS of it
# (STUDIO, TESTS) are added to those that it has, so that neither command undoes what the other one built.
configure_and_build() {
    local build=$root/build/release part tools gpus missing=0 options=()
    mkdir -p "$build"
    exec 8>"$build/.lock"
    flock -n 8 || {
        say "Another build is under way; waiting for it."
        flock 8
    }
    for part in STUDIO TESTS; do
        if grep -qs "^ROUNDPIPE_$part:BOOL=ON" "$build/CMakeCache.txt"; then
            options+=("-DROUNDPIPE_$part=ON")
        elif [[ " $1 " == *" $part "* ]]; then
            options+=("-DROUNDPIPE_$part=ON") missing=1
        else
            options+=("-DROUNDPIPE_$part=OFF")
        fi
    done
    shift
    # Configured anew when tools in the cache or the GPUs changed; sources and CMake files are ninja's to watch.
    tools=$(echo "$cache"; cat "$cache"/python/.sets/{build,data,engine}.txt "$cache/cuda.made-from")
    gpus=$(grep -h '^Model' /proc/driver/nvidia/gpus/*/information 2>/dev/null | sort -u || true)
    [ "$tools" = "$(cat "$build/.made-with" 2>/dev/null)" ] || options+=(--fresh) missing=1
    [ "$gpus" = "$(cat "$build/.made-for" 2>/dev/null)" ] || missing=1
    [ $missing = 0 ] || configure "${options[@]}"
    printf '%s\n' "$tools" >"$build/.made-with"
    printf '%s\n' "$gpus" >"$build/.made-for"
    NINJA_STATUS='[%p done, %u steps left, %w so far] ' \
        ninja -C "$build" -j "$(build_jobs)" "$@" 8>&- ||
        die "the build stopped at the error above. Nothing that compiled is lost: run the same command again. If the compiler was killed, memory ran out: close something, or build with fewer jobs by 'ninja -C build/release -j1'."
    exec 8>&-
}

# configure [options of cmake]; a failure leaves no half of a configuration behind.
configure() {
    local build=$root/build/release
    say "Configuring build/release …"
    (cd "$root" && cmake --preset release "$@" 8>&-) >"$build/configure.log" 2>&1 || {
        rm -f "$build/CMakeCache.txt" "$build/.made-with"
        tail -n 30 "$build/configure.log" >&2
        die "CMake could not configure the build (whole output: build/release/configure.log). If something is missing above, run packaging/setup; a broken cache is mended by removing $cache/python and running it again."
    }
}
