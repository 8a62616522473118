// SPDX-License-Identifier: GPL-3.0-or-later
// What comes over the socket of a run, of any bytes: a host leaves the follower that said it, a follower says that its
// run has failed, and both live on.
//
// The first byte says who hears the rest, and whether that is bytes as they come or lines, each a message: its kind as
// a letter from 'a' on, and its body; an 'a' alone says hello as this program does. In lines a fuzzer changes a body
// without having to know its length.
#include "base/log.h"
#include "fuzz_target.h"
#include "hosted/hosted_engine.h"
#include "hosted/message.h"
#include "hosted/run_host.h"
#include "hosted/run_socket.h"
#include "runs/run_lock.h"
#include "scratch_file.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace roundpipe;
using namespace roundpipe::hosted;

namespace {

// A run that goes on, whatever it is told.
class DeafEngine : public session::Engine {
public:
    void start(session::RunJob) override {}
    void send(session::Command) override {}
    void wait() override {}
    session::Snapshot snapshot() const override {
        session::Snapshot now;
        now.state = session::RunState::kTraining;
        return now;
    }
    std::vector<session::RunEvent> takeEvents() override { return {}; }
    void takeTrace(std::vector<trace::Record>&) override {}
    std::vector<trace::Record> openSlices() const override { return {}; }
    uint64_t numTraceRecordsDropped() const override { return 0; }
};

std::string messagesIn(std::string_view lines) {
    std::string bytes;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        if (line.empty()) continue;
        const std::string_view body = line == "a" ? ROUNDPIPE_VERSION "\ntrace" : line.substr(1);
        bytes += framed(static_cast<MessageKind>(line.front() - 'a'), body);
    }
    return bytes;
}

void tellHost(std::string bytes) {
    int pair[2];
    require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0, "two sockets");
    DeafEngine engine;
    RunHost host(engine);
    host.addOwner(Descriptor(pair[0]));
    Descriptor theirs(pair[1]);
    writeAvailable(theirs, bytes);
    host.turn();
    theirs.close();
    host.turn();
    require(!host.hasFollowers(), "whoever has gone is left");
}

void tellFollower(std::string bytes) {
    static const std::filesystem::path& folder = folderWith("run.json", "{}");
    static const runs::RunLock lock(folder);
    static const RunListener listener(folder);
    const auto engine = HostedEngine::following(folder);
    Descriptor host = listener.accept();
    require(static_cast<bool>(host), "the follower is there");
    writeAvailable(host, bytes);
    host.close();
    engine->wait();
    require(session::isOver(engine->snapshot().state), "a run that nobody hosts is over");
    require(!engine->takeEvents().empty(), "and it is said how it ended");
    std::vector<trace::Record> records;
    engine->takeTrace(records);
    (void)engine->openSlices();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    static const bool isQuiet = (log::setLevel(log::Level::kError), true);
    if (size == 0 || !isQuiet) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string bytes = (data[0] & 2) != 0 ? std::string(rest) : messagesIn(rest);
    if ((data[0] & 1) != 0)
        tellFollower(bytes);
    else
        tellHost(bytes);
    return 0;
}
