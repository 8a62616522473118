// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/blob_fetch.h"

#include "base/error.h"
#include "hub/net/refusal.h"
#include "hub/net/retries.h"
#include "hub/repository.h"
#include "hub/store/file_lock.h"
#include "hub/store/partial_blob.h"

#include <charconv>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr int kMaxWrong = 2; // times that what came was not the file

bool isThere(const RepositoryCache& cache, const HubFile& file) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(cache.blob(file), failed);
    return !failed && static_cast<int64_t>(size) == file.sizeBytes;
}

// "bytes 100-199/200" begins at 100.
int64_t firstByteOf(const HttpAnswer& head) {
    const std::string range = head.header("content-range");
    int64_t first = -1;
    const std::size_t number = range.find_first_of("0123456789");
    if (number != std::string::npos) std::from_chars(range.data() + number, range.data() + range.size(), first);
    return first;
}

Error wrongContent(const HttpAnswer& answer, const HubFile& file) {
    return {ErrorKind::kIo,
            fmt::format("What '{}' sends as '{}' is not that file: its checksum is another one, twice.", answer.host,
                        file.path),
            "Something between here and the Hub changes what comes through, or a mirror is damaged. Nothing of it was "
            "kept; fetch again from elsewhere (HF_ENDPOINT)."};
}

// One answer's part of the file. Where the server begins elsewhere than it was asked to, so does the file.
HttpAnswer takePart(HttpClient& client, const FetchScene& scene, PartialBlob& partial, const HubFile& file,
                    std::size_t number, Retries& retries) {
    HttpQuestion question{.url = addressOf(file, scene.name, scene.commit, scene.settings),
                          .firstByte = partial.sizeBytes()};
    question.onHead = [&](const HttpAnswer& head) {
        const int64_t first = head.status == 206 ? firstByteOf(head) : 0;
        if (first != partial.sizeBytes()) partial.restart();
        if (first > 0 && partial.sizeBytes() == 0)
            throw Error(ErrorKind::kIo,
                        fmt::format("'{}' sends another part of '{}' than it was asked for.", head.host, file.path),
                        "Fetch again.");
    };
    question.onBytes = [&](std::string_view bytes) {
        partial.append(bytes);
        scene.meter.reached(number, partial.sizeBytes());
        retries.gotThrough();
    };
    HttpAnswer answer = client.get(question);
    if (answer.status == 416) partial.restart(); // there is no such part
    if (answer.succeeded() && !partial.isWhole()) answer.failure = "the connection was cut";
    return answer;
}

// Returns the bytes that came.
int64_t fill(HttpClient& client, const FetchScene& scene, PartialBlob& partial, const HubFile& file,
             std::size_t number) {
    Retries retries(scene.settings, scene.stop, [&](double seconds) { scene.meter.waits(seconds); });
    const int64_t before = partial.sizeBytes();
    HttpAnswer answer;
    for (int numWrong = 0;;) {
        if (scene.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "The fetch was stopped.");
        scene.meter.reached(number, partial.sizeBytes());
        if (partial.isWhole()) {
            if (partial.finish()) return numWrong > 0 ? file.sizeBytes : file.sizeBytes - before;
            if (++numWrong == kMaxWrong) throw wrongContent(answer, file);
            continue;
        }
        answer = takePart(client, scene, partial, file, number, retries);
        if (answer.succeeded()) continue;
        if (!(answer.mayPass() || answer.status == 416) || !retries.waitAfter(answer))
            throw refusalOf(answer, scene.name, scene.settings);
    }
}

} // namespace

int64_t fetchBlob(HttpClient& client, const FetchScene& scene, const HubFile& file, std::size_t number) {
    scene.meter.beganFile(file.path);
    const FileLock lock(scene.cache.lockOf(file), scene.stop);
    int64_t fetched = 0;
    if (!isThere(scene.cache, file)) {
        PartialBlob partial(scene.cache, file, scene.stop);
        fetched = fill(client, scene, partial, file, number);
    }
    scene.cache.link(scene.commit, file);
    scene.meter.reached(number, file.sizeBytes);
    scene.meter.endedFile();
    return fetched;
}

} // namespace roundpipe::hub
