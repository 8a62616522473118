# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154 # variables are shared with the sourcing script; A && B || C is meant
# The CUDA 13.0 toolkit: an installed one, else a prefix of links over NVIDIA's wheels. Either way it is cuda/ in the cache.

cuda_toolkit="" # an installed toolkit that matches, or empty

find_cuda_toolkit() {
    local nvcc prefix
    for nvcc in "${CUDACXX_GIVEN:-}" /usr/local/cuda/bin/nvcc /usr/local/cuda-13.0/bin/nvcc "$(command -v nvcc || true)"; do
        [ -n "$nvcc" ] && [ -x "$nvcc" ] || continue
        prefix=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)
        if [ -e "$prefix/include/cuda_runtime.h" ] && [ -e "$prefix/lib64/libcudart.so" ] &&
            "$nvcc" --version 2>/dev/null | grep -q 'release 13\.0'; then
            cuda_toolkit=$prefix
            return
        fi
    done
}

cuda_made_from() {
    echo "${cuda_toolkit:-wheels} $(cat "$root/packaging/requirements/"{cuda,engine}.txt "$root/packaging/cuda_prefix" | cksum)"
}

cuda_ready() {
    [ -x "$cache/cuda/bin/nvcc" ] && [ "$(cat "$cache/cuda.made-from" 2>/dev/null)" = "$(cuda_made_from)" ]
}

make_cuda_ready() {
    if [ -n "$cuda_toolkit" ]; then
        rm -rf "$cache/cuda"
        ln -s "$cuda_toolkit" "$cache/cuda"
    else
        "$root/packaging/cuda_prefix" "$(echo "$cache"/python/lib/python3.*/site-packages)" "$cache/cuda"
    fi
    cuda_made_from >"$cache/cuda.made-from"
}
