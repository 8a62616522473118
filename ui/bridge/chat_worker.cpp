// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/chat_worker.h"

#include "base/units.h"

#include <exception>
#include <utility>

namespace roundpipe::ui::bridge {
namespace {

double secondsSince(int64_t startNs) {
    return static_cast<double>(steadyNowNs() - startNs) * 1e-9;
}

} // namespace

ChatWorker::ChatWorker() : m_thread([this](const std::stop_token& stop) { work(stop); }) {}

ChatWorker::~ChatWorker() {
    m_stops = true;
    m_thread.request_stop();
    m_thread.join();
}

void ChatWorker::load(session::ChatOpener open, const session::ChatSetup& setup) {
    m_stops = false;
    give(Loading{std::move(open), setup});
}

void ChatWorker::unload() {
    m_stops = true;
    give(Leaving{});
}

void ChatWorker::ask(std::vector<session::ChatQuestion> questions) {
    m_stops = false;
    give(std::move(questions));
}

void ChatWorker::stop() {
    m_stops = true;
}

void ChatWorker::give(Task task) {
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_told.notify_one();
}

std::vector<ChatNews> ChatWorker::takeNews() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_news, {});
}

// Of what grows, the newest alone is kept: a window looks thirty times a second, a model may be faster.
void ChatWorker::tell(ChatNews news) {
    const std::lock_guard lock(m_mutex);
    if (!m_news.empty() && m_news.back().index() == news.index()) {
        if (std::holds_alternative<ChatLoading>(news)) m_news.pop_back();
        if (auto* piece = std::get_if<ChatPieces>(&news)) {
            piece->text.insert(0, std::get<ChatPieces>(m_news.back()).text);
            m_news.pop_back();
        }
    }
    m_news.push_back(std::move(news));
}

void ChatWorker::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::vector<Task> tasks;
        {
            std::unique_lock lock(m_mutex);
            if (!m_told.wait(lock, stop, [this] { return !m_tasks.empty(); })) break;
            tasks = std::exchange(m_tasks, {});
        }
        for (Task& task : tasks)
            std::visit([this](auto& what) { perform(what); }, task);
    }
    m_chat.reset(); // in the thread that asked
}

template <class Work>
bool ChatWorker::tellsOfFailure(bool ofLoading, const Work& work) {
    try {
        work();
        return false;
    } catch (const Error& error) {
        tell(ChatFailed{error.message(), error.advice(), error.kind(), ofLoading});
    } catch (const std::bad_alloc&) {
        tell(ChatFailed{"There is not enough memory.", "Close other programs, or choose a smaller model.",
                        ErrorKind::kOutOfMemory, ofLoading});
    } catch (const std::exception& error) {
        tell(ChatFailed{error.what(), {}, ErrorKind::kInternal, ofLoading});
    }
    return true;
}

void ChatWorker::perform(Loading& loading) {
    const int64_t startNs = steadyNowNs();
    tellsOfFailure(true, [&] {
        m_chat = loading.open(loading.setup, [this](const session::Activity& activity) {
            tell(ChatLoading{activity});
            return !m_stops;
        });
        if (m_stops) { // after the last piece
            m_chat.reset();
            throw Error(ErrorKind::kCancelled, "The loading was given up.");
        }
        tell(ChatLoaded{m_chat->about(), secondsSince(startNs)});
    });
}

void ChatWorker::perform(Leaving&) {
    m_chat.reset();
    tell(ChatLeft{});
}

void ChatWorker::perform(std::vector<session::ChatQuestion>& questions) {
    for (std::size_t i = 0; i < questions.size() && !m_stops; ++i)
        if (!answer(i, questions[i])) break;
    tell(ChatAllAnswered{});
}

bool ChatWorker::answer(std::size_t index, const session::ChatQuestion& question) {
    tell(ChatAsked{index});
    const int64_t startNs = steadyNowNs();
    int64_t firstNs = 0;
    ChatPieces sofar{index, {}};
    return !tellsOfFailure(false, [&] {
        session::ChatAnswer answer = m_chat->answer(question, [&](const session::ChatPiece& piece) {
            if (piece.token != nullptr) ++sofar.numTokens;
            if (firstNs == 0 && (piece.token != nullptr || !piece.text.empty())) {
                firstNs = steadyNowNs();
                sofar.promptSeconds = static_cast<double>(firstNs - startNs) * 1e-9;
            }
            if (firstNs != 0) {
                sofar.answerSeconds = secondsSince(firstNs);
                sofar.text = piece.text;
                tell(sofar);
            }
            return !m_stops;
        });
        tell(ChatAnswered{index, std::move(answer)});
    });
}

} // namespace roundpipe::ui::bridge
