# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154 # variables are shared with the sourcing script; A && B || C is meant
# A recent enough Rust: one that is there, else the distribution's. The choice is recorded as links in the cache's bin/.

rust_minimum=1.85 # the newest that a crate of core/text/crate/Cargo.lock asks for on Linux
rust_missing=0
rust_cargo="" # the cargo that was chosen

version_at_least() { [ "$(printf '%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# rust_usable CARGO: is it, with the rustc beside it, recent enough?
rust_usable() {
    local version tool
    for tool in "$1" "${1%/*}/rustc"; do
        [ -x "$tool" ] || return 1
        version=$("$tool" --version 2>/dev/null | awk '{ print $2 }')
        [ -n "$version" ] && version_at_least "$version" "$rust_minimum" || return 1
    done
}

find_rust() {
    local cargo
    rust_missing=0 rust_cargo=$cache/bin/cargo
    rust_usable "$rust_cargo" && return
    # Ubuntu keeps each version whole under /usr/lib; its /usr/bin/cargo-1.NN may start another version's compiler.
    for cargo in "$(command -v cargo || true)" "$HOME/.cargo/bin/cargo" $(printf '%s\n' /usr/lib/rust-1.*/bin/cargo | sort -rV) /usr/bin/cargo; do
        if [ -n "$cargo" ] && [ "$cargo" != "$cache/bin/cargo" ] && rust_usable "$cargo"; then
            rust_cargo=$cargo
            return
        fi
    done
    rust_missing=1
}

record_rust() {
    [ -n "$rust_cargo" ] && [ "$rust_cargo" != "$cache/bin/cargo" ] || return 0
    mkdir -p "$cache/bin"
    ln -sfn "$rust_cargo" "$cache/bin/cargo"
    ln -sfn "${rust_cargo%/*}/rustc" "$cache/bin/rustc"
}

# Adds the packages of the distribution's newest Rust to packages_missing. Needs current package lists.
choose_rust_packages() {
    local candidate versioned
    candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([0-9.]*\).*/\1/p'; }
    for candidate in cargo cargo-web; do # Debian 13 and later; Debian 12
        if version_at_least "$(candidate $candidate)" "$rust_minimum"; then
            packages_missing+=("$candidate" "${candidate/cargo/rustc}")
            return
        fi
    done
    versioned=$(apt-cache pkgnames cargo-1. | grep -xE 'cargo-1\.[0-9]+' | sort -V | tail -n 1 || true) # Ubuntu 24.04
    if [ -n "$versioned" ] && version_at_least "${versioned#cargo-}" "$rust_minimum"; then
        packages_missing+=("$versioned" "${versioned/cargo/rustc}")
        return
    fi
    ! grep -q "Failed to fetch" "$cache/apt.log" || packages_failed "$cache/apt.log"
    die "no Rust $rust_minimum or newer is installed (cargo on PATH or in ~/.cargo/bin), and the distribution offers none. Install one, by rustup for example, and run this again."
}
