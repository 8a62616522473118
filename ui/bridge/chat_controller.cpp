// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/chat_controller.h"

#include "ui/bridge/chat_worker.h"
#include "ui/bridge/tick.h"

#include <utility>

namespace roundpipe::ui::bridge {
namespace {

QString textOf(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

} // namespace

ChatController::ChatController(QObject* parent) : QObject(parent), m_worker(std::make_unique<ChatWorker>()) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &ChatController::tick);
}

ChatController::~ChatController() = default;

void ChatController::setOpener(session::ChatOpener open) {
    m_open = std::move(open);
    emit changed();
}

void ChatController::setState(State state) {
    m_state = state;
    if (state == State::kNone || state == State::kReady)
        m_timer.stop();
    else
        m_timer.start();
    emit changed();
}

void ChatController::load(const session::ChatSetup& setup) {
    if (!m_open || m_state != State::kNone) return;
    m_setup = setup;
    m_worker->load(m_open, setup);
    setState(State::kLoading);
}

void ChatController::cancel() {
    if (m_state == State::kLoading || m_state == State::kAnswering) m_worker->stop();
}

void ChatController::unload() {
    if (m_state == State::kNone || m_state == State::kLeaving) return;
    m_worker->unload();
    setState(State::kLeaving);
}

void ChatController::freeThen(std::function<void()> then) {
    if (m_state == State::kNone) return then();
    m_then = std::move(then);
    unload();
}

void ChatController::ask(std::vector<session::ChatQuestion> questions) {
    if (m_state != State::kReady || questions.empty()) return;
    m_worker->ask(std::move(questions));
    setState(State::kAnswering);
}

void ChatController::tick() {
    for (const ChatNews& news : m_worker->takeNews())
        std::visit([this](const auto& what) { tell(what); }, news);
}

void ChatController::tell(const ChatLoading& now) {
    if (m_state == State::kLoading) emit loading(now.activity);
}

void ChatController::tell(const ChatLoaded& done) {
    m_about = done.about;
    if (m_state == State::kLeaving) return; // it was given up meanwhile
    setState(State::kReady);
    emit loaded(done.seconds);
}

void ChatController::tell(const ChatFailed& why) {
    if (m_state == State::kLeaving) return;
    const bool isOver = why.ofLoading;
    if (isOver) setState(State::kNone);
    emit failed({textOf(why.problem), textOf(why.advice), why.kind}, why.ofLoading);
}

void ChatController::tell(const ChatLeft&) {
    m_about = {};
    setState(State::kNone);
    if (const auto then = std::exchange(m_then, {})) then();
}

void ChatController::tell(const ChatAsked& turn) {
    emit asked(static_cast<qsizetype>(turn.question));
}

void ChatController::tell(const ChatPieces& piece) {
    emit pieceCame({static_cast<qsizetype>(piece.question), textOf(piece.text), piece.numTokens, piece.promptSeconds,
                    piece.answerSeconds});
}

void ChatController::tell(const ChatAnswered& done) {
    emit answered(static_cast<qsizetype>(done.question), done.answer);
}

void ChatController::tell(const ChatAllAnswered&) {
    if (m_state == State::kAnswering) setState(State::kReady);
    emit allAnswered();
}

} // namespace roundpipe::ui::bridge
