// SPDX-License-Identifier: GPL-3.0-or-later
// One file, from the Hub into the cache.
#pragma once

#include "hub/fetch_meter.h"
#include "hub/net/http_client.h"
#include "hub/store/repository_cache.h"

#include <stop_token>

namespace roundpipe::hub {

// What all files of one fetch have in common.
struct FetchScene {
    const HubSettings& settings;
    const HubName& name;
    const std::string& commit;
    const RepositoryCache& cache;
    FetchMeter& meter;
    std::stop_token stop;
};

// Goes on from what came before, asks again while that may help, checks what came, and links it into the snapshot.
// `number`: of the file in the meter. Returns the bytes that came through the network: 0 where another process, or
// another file of the same content, brought it. Throws what refusalOf() says, kIo, kNoSpace, kCancelled.
int64_t fetchBlob(HttpClient& client, const FetchScene& scene, const HubFile& file, std::size_t number);

} // namespace roundpipe::hub
