#include "data/batches/batch_plan.h"

#include "session/run_spec.h"

namespace roundpipe::data {
BatchPlan batchPlanOf(const session::RunSpec& spec) {
    const session::BatchSection& batch = spec.batch;
    BatchPlan plan;
    plan.microbatchSize = batch.microbatchSize;
    plan.microbatches = batch.microbatches;
    plan.rounds = batch.rounds;
    plan.shuffle = spec.data.shuffle;
    plan.seed = static_cast<uint64_t>(spec.seed);
    plan.tokensPerStep = batch.tokensPerStep;
    plan.microbatchTokens = batch.microbatchTokens;
    plan.packing = batch.packing;
    if (plan.microbatchTokens == 0 && (plan.tokensPerStep > 0 || plan.packing != Packing::kNone))
        plan.microbatchTokens = batch.microbatchSize * spec.data.maxLength;
    return plan;
}

} // namespace roundpipe::data
