// SPDX-License-Identifier: GPL-3.0-or-later
// A model of 94 layers on 8 GPUs. How long the Plan page takes from a knob to the memory bars redrawn for the cuts on
// show: median and worst of many turns. And how long the Settings page takes from its showing to the last word on what
// other values would do, with the longest time that one event took from the window meanwhile.
// QT_QPA_PLATFORM=offscreen measures without a display.
#include "../ui/test_services.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/plan_page.h"
#include "ui/pages/settings/setting_effects.h"
#include "ui/pages/settings/settings_page.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cstdio>

using namespace roundpipe;

namespace {

constexpr const char* kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
  "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 92,
  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40960,
  "rms_norm_eps": 1e-6, "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": false,
  "torch_dtype": "bfloat16"})";

class PaintWatch : public QObject {
public:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++numPaints;
        return false;
    }
    int numPaints = 0;
};

// Knows the longest time that one event took.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (m_isInEvent) return QApplication::notify(receiver, event); // part of the one that is timed
        m_isInEvent = true;
        QElapsedTimer timer;
        timer.start();
        const bool isDone = QApplication::notify(receiver, event);
        longestMs = std::max(longestMs, milliseconds(timer));
        m_isInEvent = false;
        return isDone;
    }
    static double milliseconds(const QElapsedTimer& timer) { return static_cast<double>(timer.nsecsElapsed()) * 1e-6; }
    double longestMs = 0;

private:
    bool m_isInEvent = false;
};

// All have been asked when ten seconds have brought no word: no question takes so long.
void timeSettings(testing::TestServices& services, TimedApplication& application) {
    constexpr int kQuietMs = 10'000;
    const std::size_t numTurns = ui::pages::settingTurns(services.document.spec(), *services.plan.answer()).size();
    ui::pages::SettingsPage page(services.services());
    while (page.prepare()) {
    }
    page.resize(1280, 800);
    int numWords = 0;
    double lastWord = 0;
    application.longestMs = 0;
    QElapsedTimer timer;
    timer.start();
    QObject::connect(page.findChild<ui::pages::SettingEffects*>(), &ui::pages::SettingEffects::changed, &page, [&] {
        ++numWords;
        lastWord = TimedApplication::milliseconds(timer);
    });
    page.show();
    while (TimedApplication::milliseconds(timer) < lastWord + kQuietMs)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
    std::printf("the Settings page: %zu other values, the last of %d words after %.0f ms; the longest event %.1f ms\n",
                numTurns, numWords, lastWord, application.longestMs);
}

} // namespace

int main(int argc, char** argv) {
    TimedApplication application(argc, argv);
    testing::TestServices services;
    writeFileAtomically(services.home.path() / "config.json", kConfig);
    services.plan.setRig("8x4090,ram=512");
    ui::pages::PlanPage page(services.services());
    page.resize(1280, 800);
    page.show();
    const auto settled = [&] {
        return services.plan.answer() != nullptr && !services.plan.isOld() && !services.plan.isWorking();
    };
    services.document.change(QStringLiteral("model"), [&](session::RunSpec& spec) {
        spec.model.path = (services.home.path() / "config.json").string();
        spec.data.maxLength = 1024;
        spec.batch.microbatches = 8;
    });
    if (!QTest::qWaitFor(settled, 120'000)) return 1;
    auto* bars = page.findChild<ui::pages::MemoryBars*>();
    PaintWatch watch;
    bars->installEventFilter(&watch);
    std::vector<double> milliseconds;
    for (int64_t turn = 1; turn <= 40; ++turn) {
        const int64_t before = bars->bars().front().needed;
        QElapsedTimer timer;
        timer.start();
        services.document.change(QStringLiteral("length"),
                                 [&](session::RunSpec& spec) { spec.data.maxLength = 1024 + 64 * turn; });
        watch.numPaints = 0;
        const auto redrawn = [&] { return bars->bars().front().needed != before && watch.numPaints > 0; };
        while (!redrawn() && timer.elapsed() < 10'000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::ranges::sort(milliseconds);
    std::printf("94 layers on 8 GPUs: bars redrawn %.1f ms after a knob (median), %.1f ms at worst of %zu\n",
                milliseconds[milliseconds.size() / 2], milliseconds.back(), milliseconds.size());
    if (!QTest::qWaitFor(settled, 120'000)) return 1;
    page.hide();
    timeSettings(services, application);
}
