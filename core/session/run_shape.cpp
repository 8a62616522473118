#include "session/run_shape.h"

namespace roundpipe::session {

batch::StepRules stepRulesOf(const RunSpec& spec) {
    batch::StepRules rules = spec.batch;
    if (rules.microbatchTokens == 0 && (rules.tokensPerStep > 0 || rules.packing != Packing::kNone))
        rules.microbatchTokens = rules.microbatchSize * spec.data.maxLength;
    return rules;
}

batch::DrawOrder drawOrderOf(const RunSpec& spec) {
    return {spec.data.shuffle, static_cast<uint64_t>(spec.seed)};
}

} // namespace roundpipe::session
