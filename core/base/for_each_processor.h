// SPDX-License-Identifier: GPL-3.0-or-later
// A function that is compiled twice: for what every x86-64 has, and for processors of the last ten years (AVX2, FMA),
// chosen as the program starts. Such a choice is made before the thread sanitizer's own library is there, which a
// program that it watches would not outlive: that has one of each.
#pragma once

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define RP_FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define RP_FOR_EACH_PROCESSOR
#endif
