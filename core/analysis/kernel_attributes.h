// SPDX-License-Identifier: Apache-2.0
// What the names of the libraries' products, attention and copies say of a kernel beside its family, arithmetic and tile.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

// A few words each, "" for what a kernel is not; those of one kind of kernels have one length and order, the most telling first. Empty for
// names that are not known. cuBLAS gemv: function, tile, variant. nvjet: layout of the operands (T: transposed, N: not), what it adds, cluster, order of
// the tiles. Flash attention: head size, causal mask, dropout, other masks, tile. LibTorch's concatenation: way, element size, dimensions.
// cuBLASLt's split-K reduction: type of the result.
std::vector<std::string> kernelAttributes(std::string_view name);

} // namespace voxlab
