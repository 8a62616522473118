# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154 # variables are shared with the sourcing script; A && B || C is meant
# The Python environment in the cache: build tools, LibTorch and NVIDIA's libraries come as wheels from PyPI.
# A set is a file of requirements/; a copy of it in python/.sets says that all of it is installed.

wheels_missing=() # lines 'name==version size in MB'
wheels_mb=0      # their sum
wheels_done_mb=0 # of these
venv=$cache/python

set_installed() { cmp -s "$root/packaging/requirements/$1.txt" "$venv/.sets/$1.txt"; }

# False also after an upgrade of the distribution that brought another Python.
venv_works() {
    "$venv/bin/python" -c 'import os, sys, sysconfig; sys.exit(not os.path.isdir(sysconfig.get_path("purelib")))' 2>/dev/null
}

# find_missing_wheels SET…
find_missing_wheels() {
    local unsure=() set
    wheels_missing=() wheels_mb=0
    for set in "$@"; do
        venv_works && set_installed "$set" || unsure+=("$root/packaging/requirements/$set.txt")
    done
    [ ${#unsure[@]} -gt 0 ] || return 0
    if venv_works; then
        mapfile -t wheels_missing < <("$venv/bin/python" "$root/packaging/missing_wheels.py" "${unsure[@]}")
    else
        mapfile -t wheels_missing < <(sed -nE 's/^([^# ]+) *# *([0-9.]+).*/\1 \2/p' "${unsure[@]}")
    fi
    wheels_mb=$(printf '%s\n' "${wheels_missing[@]}" | awk '{ mb += $2 } END { print int(mb + 0.5) }')
}

record_sets() {
    local set
    mkdir -p "$venv/.sets"
    for set in "$@"; do
        set_installed "$set" || cp "$root/packaging/requirements/$set.txt" "$venv/.sets/$set.txt"
    done
}

make_venv() {
    local python
    if venv_works; then
        "$venv/bin/python" -m pip --version >/dev/null 2>&1 && return
        say "Mending the Python environment: its pip was left half installed …"
        rm -rf "$venv"/lib/python3.*/site-packages/pip "$venv"/lib/python3.*/site-packages/pip-*
        "$venv/bin/python" -m ensurepip >/dev/null && return
    fi
    # The wheels exist for these versions; the distribution's own Python comes first.
    for python in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys, ensurepip, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
            say "Making the Python environment …"
            rm -rf "$venv"
            "$python" -m venv "$venv" || die "python3 could not make an environment in $venv: see above; is the disk full?"
            return
        fi
    done
    die "no Python 3.11 to 3.13 with the venv module was found. Install the packages python3 and python3-venv."
}

pip_install() {
    local log=$cache/pip.log options=()
    # The first pip is the distribution's and may be too old to resume a broken download and to count aloud.
    ! "$venv/bin/python" -m pip install --help | grep -q -- --resume-retries || options=(--resume-retries 20 --progress-bar raw)
    # Unpacked through the cache's disk, for /tmp may be small.
    TMPDIR=$cache/tmp "$venv/bin/python" -m pip install --no-deps --no-cache-dir --only-binary :all: \
        --disable-pip-version-check --no-input "${options[@]}" "$@" 2>"$log" | wheel_progress || pip_failed "$log"
}

# Turns pip's output into lines that count; without a terminal, for large wheels only.
wheel_progress() {
    local line word name='' bytes total percent last
    while IFS= read -r line; do
        case $line in
        "  Downloading "*) read -r word name word <<<"$line" && last=-1 ;;
        "Progress "*)
            read -r word bytes word total <<<"$line"
            percent=$((bytes * 100 / total))
            [ $percent = $last ] || { [ ! -t 1 ] && [ "$total" -lt 20000000 ]; } ||
                show_progress "${name%%-*}: $((bytes / 1000000)) of $((total / 1000000)) MB" $percent 25
            [ $percent = $last ] || report_progress $((wheels_done_mb + bytes / 1000000))
            last=$percent
            ;;
        "Installing collected"*) { [ ! -t 1 ] && [ $report = 0 ]; } || show_progress "unpacking …" 0 1 ;;
        esac
    done
    end_progress
}

report_progress() { [ $report = 0 ] || echo "@progress $1 $wheels_mb"; }

# count_done LINE…: these wheels of wheels_missing are installed.
count_done() {
    wheels_done_mb=$(printf '%s\n' "$wheels_done_mb" "${@#* }" | awk '{ mb += $1 } END { print int(mb + 0.5) }')
    report_progress "$wheels_done_mb"
}

pip_failed() {
    local advice
    rm -rf "$cache/tmp"
    check_disk # a full disk takes pip's last words, too
    grep '^ERROR' "$1" | head -n 5 >&2 || true
    case $(cat "$1") in
    *"NameResolutionError"* | *"NewConnectionError"* | *"connection broken"* | *"Read timed out"*) advice="The connection to PyPI broke or was never there: check the network (and the proxy settings)." ;;
    *"DO NOT MATCH THE HASHES"*) advice="A file that arrived is not the one that was announced: it was damaged or changed on its way. If that happens again, look to the proxy or mirror that it came through." ;;
    *"No space left"*) advice="The disk that holds $cache is full. Free some space, or set ROUNDPIPE_CACHE to a folder on a bigger disk." ;;
    *"No matching distribution"*) advice="PyPI does not offer this version for this machine: RoundPipe Studio runs on 64-bit x86 Linux with Python 3.11 to 3.13." ;;
    *) advice="The messages above and in $1 say why." ;;
    esac
    die "pip failed. $advice Then run the same command again: what is installed is kept."
}

install_wheels() {
    local big=() small=() line name mb n=0
    rm -rf "$cache/tmp" && mkdir -p "$cache/tmp" # an interrupted run may have left its own
    for line in "${wheels_missing[@]}"; do
        case $line in
        pip==*) # first of all: the new one resumes
            pip_install "${line% *}"
            count_done "$line"
            ;;
        *) awk -v mb="${line#* }" 'BEGIN { exit !(mb >= 20) }' && big+=("$line") || small+=("$line") ;;
        esac
    done
    if [ ${#small[@]} -gt 0 ]; then
        say "Small wheels (${#small[@]}) …"
        pip_install "${small[@]% *}"
        count_done "${small[@]}"
    fi
    # One at a time, so that an interruption costs one wheel at most.
    for line in "${big[@]}"; do
        name=${line% *} mb=${line#* } n=$((n + 1))
        say "[$n/${#big[@]}] $name, $mb MB"
        pip_install "$name"
        count_done "$line"
    done
    rm -rf "$cache/tmp"
}
