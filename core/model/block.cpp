#include "model/block.h"

#include "base/error.h"
#include "model/dense_block.h"

namespace roundpipe::model {

std::unique_ptr<const Block> makeBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                       DType operandType) {
    switch (layout.spec.type) { // a line for each type
    case arch::BlockType::kDense:
        return std::make_unique<DenseBlock>(config, layout, operandType);
    case arch::BlockType::kSparse:
        break;
    }
    throw Error(ErrorKind::kUnsupported, "'" + layout.spec.name + "' is a " +
                                             std::string(spellingOf(layout.spec.type)) +
                                             ", which can be planned, but not be run yet.");
}

} // namespace roundpipe::model
