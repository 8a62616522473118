// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/field_advice.h"

#include <algorithm>
#include <array>

namespace roundpipe::session {
namespace {

struct Advice {
    const char* key;
    const char* text;
};

constexpr std::array<Advice, 17> kAdvice = {
    {{"duration.epochs", "More learns the rows better, too many learn them by heart."},
     {"duration.max_steps", "0: by epochs. There is no hidden limit of steps."},
     {"method", "lora: a small adapter, beside a model that stays as it is. full: all of the "
                "model's weights, which takes many times the memory."},
     {"optimizer.learning_rate", "Quality only. Usual for adapters: 0.0001 to 0.0005."},
     {"model.weights",
      "int8 and fp8 take half the memory and traffic of 16 bits, nf4 a quarter, which costs a little "
      "quality. For models that are too large otherwise; fp8 also for speed, on GPUs from the RTX 4090 "
      "and H100 on."},
     {"lora.rank", "How much the adapter can learn. Usual: 8 to 64."},
     {"lora.alpha", "Quality only. Usual: twice the rank."},
     {"lora.dropout", "Against learning by heart where rows are few; 0.05 is usual then."},
     {"lora.targets", "Fewer layers train faster and learn less."},
     {"lora.modules_to_save",
      "For new tokens or another language. A table takes as much host memory as with method full."},
     {"data.max_length", "Longer rows are cut there."},
     {"batch.microbatch_size", "Examples that go through a layer at once."},
     {"batch.microbatches", "More keep all devices busy, and make fewer updates an epoch."},
     {"batch.packing", "Short examples share a microbatch. The loss is the same."},
     {"engine.precision", "fp32 doubles memory and traffic. auto: bf16 on GPUs, fp32 on CPU workers."},
     {"output.save_every_minutes", "A crash costs what came after the last checkpoint."},
     {"output.keep_checkpoints", "More than one, so that a damaged one is no loss."}}};

constexpr Advice kRateOfWeights = {"optimizer.learning_rate", "Usual for a model's own weights: 0.00001 to 0.00002."};

} // namespace

const char* adviceOn(std::string_view key, Method method) {
    if (method == Method::kFull && key == kRateOfWeights.key) return kRateOfWeights.text;
    const auto* found = std::ranges::find(kAdvice, key, &Advice::key);
    return found == kAdvice.end() ? "" : found->text;
}

} // namespace roundpipe::session
