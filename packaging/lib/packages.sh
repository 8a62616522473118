# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154 # variables are shared with the sourcing script; A && B || C is meant
# The distribution's packages, by apt-get. Sourced by setup after common.sh.

packages_missing=()
packages_mb=0

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@" 9>&-; else sudo "$@" 9>&-; fi
}

# find_missing_packages LIST… (files of packages/, without .txt)
find_missing_packages() {
    local wanted have list
    wanted=$(for list in "$@"; do sed 's/#.*//' "$root/packaging/packages/$list.txt"; done | xargs -n1 | sort -u)
    if ! command -v dpkg-query >/dev/null; then
        die "this set-up knows the packages of Debian 12 and Ubuntu 24.04 and found neither. Install what your distribution calls these, and Rust $rust_minimum or newer:
  ${wanted//$'\n'/ }
then run this again with --no-packages."
    fi
    # shellcheck disable=SC2086 # a word per package
    have=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p' | sort -u || true)
    mapfile -t packages_missing < <(comm -23 <(echo "$wanted") <(echo "$have"))
}

check_root() {
    [ "$(id -u)" = 0 ] && return
    local command="apt-get install --no-install-recommends ${packages_missing[*]}"
    command -v sudo >/dev/null ||
        die "packages of the distribution are missing, you are not root, and there is no sudo. Have an administrator run:
  $command"
    if ! sudo -n true 2>/dev/null && [ ! -t 0 ]; then
        die "packages of the distribution are missing, and sudo cannot ask for a password here. Run this in a terminal, or have an administrator run:
  $command"
    fi
}

update_package_lists() {
    local log=$cache/apt.log
    say "Reading the distribution's package lists (some 10 MB) …"
    as_root apt-get -qq -o DPkg::Lock::Timeout=300 update >"$log" 2>&1 || packages_failed "$log"
}

size_packages() {
    # What apt cannot resolve it explains when it is asked to install it.
    packages_mb=$({ apt-get install --print-uris -qq --no-install-recommends "${packages_missing[@]}" 2>/dev/null || true; } |
        awk '{ bytes += $3 } END { print int(bytes / 1e6) + 1 }')
}

install_packages() {
    local log=$cache/apt.log
    say "Installing ${#packages_missing[@]} packages of the distribution …"
    # What an interrupted run left half configured is finished first. Nothing that is installed may be removed for it.
    {
        as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 \
                --no-install-recommends --no-remove --fix-broken install "${packages_missing[@]}"
    } </dev/null 2>&1 | tee -a "$log" | package_progress || packages_failed "$log"
}

# Turns apt's output into lines that count.
package_progress() {
    local line total='?' fetched=0 ready=0
    while IFS= read -r line; do
        case $line in
        *" newly installed"*) total=$(sed -E 's/.* ([0-9]+) newly installed.*/\1/' <<<"$line") ;;
        Get:*) show_progress "fetched $((fetched += 1)) of $total packages" "$fetched" 50 ;;
        "Setting up "*) show_progress "set up $((ready += 1)) of $total packages" "$ready" 50 ;;
        esac
    done
    end_progress
}

packages_failed() {
    local log=$1 advice
    tail -n 8 "$log" >&2
    case $(cat "$log") in
    *"Could not get lock"* | *"Unable to acquire"*) advice="Another program is installing packages (its name is above). Wait until it has ended, then run this again." ;;
    *"No space left"* | *"enough free space"*) advice="The disk is full: free about $((packages_mb * 5)) MB on / and run this again." ;;
    *"remove is disabled"*) advice="A package that is installed stands in the way (above), most likely Debian's old 'cargo'. Remove it (apt-get remove cargo rustc), or install Rust $rust_minimum or newer yourself, and run this again." ;;
    # A list that could not be fetched is a warning to apt-get update; what it would have named is then not to be found.
    *"Could not resolve"* | *"Temporary failure"* | *"Failed to fetch"* | *"Could not connect"*) advice="The distribution's server was not reached: check the network (and the proxy settings), then run this again. What was fetched is kept." ;;
    *"Unable to locate package"* | *"no installation candidate"*) advice="This distribution does not have a package that is named above. The names are Debian 12's; Ubuntu has most of them in 'universe'. Install what it calls this one, then run this again with --no-packages." ;;
    *) advice="The whole output is in $log. Mend what it names and run this again." ;;
    esac
    die "apt-get failed. $advice"
}
