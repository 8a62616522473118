// SPDX-License-Identifier: GPL-3.0-or-later
#include "stand_in.h"

#include "base/error.h"
#include "base/file.h"
#include "hub/net/http_client.h"

#include <csignal>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace roundpipe::hub {

StandIn::StandIn() {
    int toServer[2], fromServer[2];
    RP_CHECK(::pipe(toServer) == 0 && ::pipe(fromServer) == 0);
    m_process = ::fork();
    RP_CHECK(m_process >= 0);
    if (m_process == 0) {
        ::dup2(toServer[0], STDIN_FILENO);
        ::dup2(fromServer[1], STDOUT_FILENO);
        for (const int end : {toServer[0], toServer[1], fromServer[0], fromServer[1]})
            ::close(end);
        ::execl(ROUNDPIPE_TEST_PYTHON, ROUNDPIPE_TEST_PYTHON, "-B", ROUNDPIPE_STAND_IN, m_folder.path().c_str(),
                static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(toServer[0]);
    ::close(fromServer[1]);
    m_toServer = toServer[1];
    std::FILE* const said = ::fdopen(fromServer[0], "r");
    RP_CHECK(std::fscanf(said, "%d %d", &m_port, &m_otherPort) == 2);
    std::fclose(said);

    m_settings.endpoint = fmt::format("http://127.0.0.1:{}", m_port);
    m_settings.cache = m_folder.path() / "cache";
    m_settings.firstDelay = std::chrono::milliseconds(20);
    m_settings.numTries = 4;
}

StandIn::~StandIn() {
    ::close(m_toServer);
    ::kill(m_process, SIGTERM);
    ::waitpid(m_process, nullptr, 0);
}

void StandIn::write(const std::string& path, std::string_view content) const {
    std::filesystem::create_directories((m_folder.path() / path).parent_path());
    writeFileAtomically(m_folder.path() / path, content);
}

std::string StandIn::control(const std::string& question) const {
    HttpClient client(m_settings, {});
    const HttpAnswer answer = client.get({.url = m_settings.endpoint + question});
    RP_CHECK(answer.succeeded());
    return answer.body;
}

void StandIn::order(const std::string& match, const std::string& what, int times, const std::string& value) const {
    control(fmt::format("/_order?match={}&do={}&times={}&value={}", urlEncoded(match), what, times, urlEncoded(value)));
}

std::vector<StandIn::Asked> StandIn::asked() const {
    std::vector<Asked> all;
    for (const auto& one : nlohmann::json::parse(control("/_asked")))
        all.push_back({one[0], one[1], one[2], one[3]});
    return all;
}

std::string bytesOfLength(std::size_t length) {
    std::string bytes(length, '\0');
    uint32_t state = static_cast<uint32_t>(length) * 2654435761u + 1;
    for (char& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<char>(state >> 24);
    }
    return bytes;
}

void writeTinyModel(const StandIn& hub, const std::string& repository) {
    const std::string folder = "models/" + repository + "/";
    hub.write(folder + "config.json", R"({"model_type": "llama"})");
    hub.write(folder + "tokenizer.json", "{}");
    hub.write(folder + "tokenizer_config.json", "{ }");
    hub.write(folder + "README.md", "---\nlicense: mit\n---\n");
    hub.write(folder + "model.safetensors", bytesOfLength(200'000));
    hub.write(folder + "pytorch_model.bin", "a pickle");
    hub.write(folder + "modeling_tiny.py", "print('code')");
    hub.write(folder + "original/model.safetensors", "elsewhere");
}

void writeTinyDataset(const StandIn& hub, const std::string& repository) {
    const std::string folder = "datasets/" + repository + "/";
    hub.write(folder + "data/train-00000-of-00002.parquet", bytesOfLength(3'000));
    hub.write(folder + "data/train-00001-of-00002.parquet", bytesOfLength(4'000));
    hub.write(folder + "data/test-00000-of-00001.parquet", bytesOfLength(2'000));
    hub.write(folder + "README.md", "# Rows\n");
}

} // namespace roundpipe::hub
