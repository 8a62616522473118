// SPDX-License-Identifier: GPL-3.0-or-later
// The Plan page on show, with the plan of a project whose model is made up.
#pragma once

#include "test_services.h"
#include "ui/pages/plan/plan_page.h"

#include <memory>
#include <utility>

namespace roundpipe::testing {

// As large as an 8B model, so that cuts, memories and times matter.
inline constexpr const char* kPlannedConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
  "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": %1,
  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40960,
  "rms_norm_eps": 1e-6, "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": false,
  "torch_dtype": "bfloat16"})";

struct ShownPlanPage : TestServices {
    explicit ShownPlanPage(int numBlocks = 36, const char* rig = "4x4090", session::RigProbe probe = nullptr)
        : TestServices(std::move(probe)) {
        std::filesystem::create_directories(home.path() / "model");
        writeFileAtomically(home.path() / "model" / "config.json",
                            QString::fromLatin1(kPlannedConfig).arg(numBlocks).toStdString());
        plan.setRig(rig);
        page = std::make_unique<ui::pages::PlanPage>(services());
        page->resize(1280, 800);
        page->show();
        document.change(QStringLiteral("model"), [&](session::RunSpec& spec) {
            spec.model.path = (home.path() / "model").string();
            spec.data.maxLength = 1024;
            spec.batch.microbatchSize = 4;
            spec.batch.microbatches = 6;
        });
    }
    bool isSettled() const { return plan.answer() != nullptr && !plan.isOld() && !plan.isWorking(); }
    template <class Widget>
    Widget* find() const {
        return page->findChild<Widget*>();
    }

    std::unique_ptr<ui::pages::PlanPage> page;
};

} // namespace roundpipe::testing
