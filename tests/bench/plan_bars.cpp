// SPDX-License-Identifier: GPL-3.0-or-later
// How long the Plan page takes from a knob to the memory bars redrawn for the cuts on show: a model of 94 layers on 8
// GPUs. Prints median and worst of many turns; QT_QPA_PLATFORM=offscreen measures without a display.
#include "../ui/test_services.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/plan_page.h"

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

} // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
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
}
