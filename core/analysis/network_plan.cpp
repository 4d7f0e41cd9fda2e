// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/network_plan.h"
#include <algorithm>
#include <numeric>

namespace voxlab {
namespace {
std::int64_t product(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Walks the network in order of execution and notes each layer. Structure and names: Med-DDPM's U-Net.
class Planner {
public:
  explicit Planner(NetworkPlan& plan) : m_plan(plan) {}

  void run() {
    const NetworkSpec& n = m_plan.network;
    linear("time_embed.0", n.baseChannels, 4 * n.baseChannels);
    activation("time_embed.1", PlanLayerKind::Silu, {m_plan.batch, 4 * n.baseChannels});
    linear("time_embed.2", 4 * n.baseChannels, 4 * n.baseChannels);
    encoder();
    residual("middle_block.0", m_channels, m_channels);
    attention("middle_block.1");
    residual("middle_block.2", m_channels, m_channels);
    decoder();
    begin("out");
    activation("out.0", PlanLayerKind::GroupNorm, shape(m_channels), 2 * m_channels);
    activation("out.1", PlanLayerKind::Silu, shape(m_channels));
    convolution("out.2", PlanLayerKind::Conv3, m_channels, n.imageChannels);
  }

private:
  void begin(std::string block) { m_block = std::move(block); }

  std::vector<std::int64_t> shape(std::int64_t channels) const { return shapeAt(channels, m_level); }
  std::vector<std::int64_t> shapeAt(std::int64_t channels, int level) const {
    const auto& s = m_plan.size;
    return {m_plan.batch, channels, s[0] >> level, s[1] >> level, s[2] >> level};
  }
  std::int64_t voxels() const { return product(shape(1)) / m_plan.batch; }

  PlannedLayer& add(std::string name, PlanLayerKind kind, std::vector<std::int64_t> in, std::vector<std::int64_t> out) {
    PlannedLayer layer;
    layer.name = std::move(name);
    layer.block = m_block;
    layer.kind = kind;
    layer.level = m_level;
    layer.in = std::move(in);
    layer.out = std::move(out);
    m_plan.layers.push_back(std::move(layer));
    return m_plan.layers.back();
  }

  void linear(const std::string& name, std::int64_t in, std::int64_t out) {
    PlannedLayer& layer = add(name, PlanLayerKind::LinearTime, {m_plan.batch, in}, {m_plan.batch, out});
    layer.macs = m_plan.batch * in * out;
    layer.parameters = in * out + out;
  }

  PlannedLayer& activation(const std::string& name, PlanLayerKind kind, std::vector<std::int64_t> in, std::int64_t parameters = 0) {
    PlannedLayer& layer = add(name, kind, in, in);
    layer.parameters = parameters;
    return layer;
  }

  void convolution(const std::string& name, PlanLayerKind kind, std::int64_t in, std::int64_t out) {
    const int outLevel = m_level + (kind == PlanLayerKind::Conv3Stride2 ? 1 : 0);
    const std::int64_t taps = kind == PlanLayerKind::Conv1Skip ? 1 : 27;
    PlannedLayer& layer = add(name, kind, shape(in), shapeAt(out, outLevel));
    layer.macs = layer.outElements() * in * taps;
    layer.parameters = in * out * taps + out;
  }

  void residual(const std::string& block, std::int64_t in, std::int64_t out, std::int64_t stored = 0) {
    begin(block);
    const auto fromEncoder = [&](PlannedLayer& layer) { layer.storedElements = product(shape(stored)); };
    fromEncoder(activation(block + ".in_layers.0", PlanLayerKind::GroupNorm, shape(in), 2 * in));
    activation(block + ".in_layers.1", PlanLayerKind::Silu, shape(in));
    convolution(block + ".in_layers.2", PlanLayerKind::Conv3, in, out);
    activation(block + ".emb_layers.0", PlanLayerKind::Silu, {m_plan.batch, 4 * m_plan.network.baseChannels});
    linear(block + ".emb_layers.1", 4 * m_plan.network.baseChannels, out);
    activation(block + ".out_layers.0", PlanLayerKind::GroupNorm, shape(out), 2 * out);
    activation(block + ".out_layers.1", PlanLayerKind::Silu, shape(out));
    convolution(block + ".out_layers.3", PlanLayerKind::Conv3, out, out);
    if (in != out) {
      convolution(block + ".skip_connection", PlanLayerKind::Conv1Skip, in, out);
      fromEncoder(m_plan.layers.back());
    }
    activation(block + ".residual", PlanLayerKind::ResidualAdd, shape(out));
    m_channels = out;
  }

  void attention(const std::string& block) {
    begin(block);
    const std::int64_t n = m_plan.batch, c = m_channels, tokens = voxels();
    activation(block + ".norm", PlanLayerKind::GroupNorm, shape(c), 2 * c);
    PlannedLayer& qkv = add(block + ".qkv", PlanLayerKind::AttentionQkv, {n, c, tokens}, {n, 3 * c, tokens});
    qkv.macs = n * 3 * c * c * tokens;
    qkv.parameters = 3 * c * c + 3 * c;
    add(block + ".attention", PlanLayerKind::AttentionMatmul, {n, 3 * c, tokens}, {n, c, tokens}).macs = 2 * n * c * tokens * tokens;
    PlannedLayer& projection = add(block + ".proj_out", PlanLayerKind::AttentionProjection, {n, c, tokens}, {n, c, tokens});
    projection.macs = n * c * c * tokens;
    projection.parameters = c * c + c;
    activation(block + ".residual", PlanLayerKind::ResidualAdd, shape(c));
  }

  bool hasAttention(int level) const {
    const auto& factors = m_plan.network.attentionFactors;
    return std::find(factors.begin(), factors.end(), 1 << level) != factors.end();
  }

  void encoder() {
    const NetworkSpec& n = m_plan.network;
    int entry = 0;
    const auto name = [&] { return "input_blocks." + std::to_string(entry) + "."; };
    begin(name() + "0");
    convolution(name() + "0", PlanLayerKind::Conv3, n.inputChannels(), n.width(0));
    m_channels = n.width(0);
    m_stack.push_back(m_channels);
    for (int level = 0; level < n.levels(); ++level) {
      for (int i = 0; i < n.residualBlocks; ++i) {
        ++entry;
        residual(name() + "0", m_channels, n.width(level));
        if (hasAttention(level))
          attention(name() + "1");
        m_stack.push_back(m_channels);
      }
      if (level + 1 == n.levels())
        break;
      ++entry;
      begin(name() + "0");
      convolution(name() + "0.op", PlanLayerKind::Conv3Stride2, m_channels, m_channels);
      ++m_level;
      m_stack.push_back(m_channels);
    }
  }

  void decoder() {
    const NetworkSpec& n = m_plan.network;
    int entry = 0;
    for (int level = n.levels() - 1; level >= 0; --level) {
      for (int i = 0; i <= n.residualBlocks; ++i, ++entry) {
        const std::string name = "output_blocks." + std::to_string(entry) + ".";
        const std::int64_t stored = m_stack.back(), joined = m_channels + stored;
        m_stack.pop_back();
        begin(name + "0");
        add(name + "concatenate", PlanLayerKind::Concatenate, shape(joined), shape(joined)).storedElements = product(shape(stored));
        residual(name + "0", joined, n.width(level), stored);
        if (hasAttention(level))
          attention(name + "1");
        if (level > 0 && i == n.residualBlocks)
          upsample(name + (hasAttention(level) ? "2" : "1"));
      }
    }
  }

  void upsample(const std::string& block) {
    begin(block);
    const auto from = shape(m_channels);
    --m_level;
    add(block + ".interpolate", PlanLayerKind::Upsample, from, shape(m_channels));
    convolution(block + ".conv", PlanLayerKind::Conv3, m_channels, m_channels);
  }

  NetworkPlan& m_plan;
  std::string m_block = "time_embed";
  int m_level = 0;
  std::int64_t m_channels = 0;
  std::vector<std::int64_t> m_stack; // widths of the encoder's outputs
};

bool isAttention(PlanLayerKind kind) {
  return kind == PlanLayerKind::AttentionQkv || kind == PlanLayerKind::AttentionMatmul || kind == PlanLayerKind::AttentionProjection;
}
} // namespace

std::string_view layerKindName(PlanLayerKind kind) {
  switch (kind) {
  case PlanLayerKind::LinearTime:
    return "linear_time";
  case PlanLayerKind::Conv3:
    return "conv3";
  case PlanLayerKind::Conv3Stride2:
    return "conv3_stride2";
  case PlanLayerKind::Conv1Skip:
    return "conv1x1_skip";
  case PlanLayerKind::AttentionQkv:
    return "attn_qkv";
  case PlanLayerKind::AttentionMatmul:
    return "attn_matmul";
  case PlanLayerKind::AttentionProjection:
    return "attn_proj";
  case PlanLayerKind::GroupNorm:
    return "groupnorm";
  case PlanLayerKind::Silu:
    return "silu";
  case PlanLayerKind::ResidualAdd:
    return "residual_add";
  case PlanLayerKind::Upsample:
    return "upsample";
  case PlanLayerKind::Concatenate:
    return "concatenate";
  case PlanLayerKind::Unknown:
    break;
  }
  return "unknown";
}

std::int64_t PlannedLayer::inElements() const {
  return product(in);
}
std::int64_t PlannedLayer::outElements() const {
  return product(out);
}

std::int64_t NetworkPlan::macs() const {
  std::int64_t sum = 0;
  for (const auto& layer : layers)
    sum += layer.macs;
  return sum;
}

std::int64_t NetworkPlan::parameters() const {
  std::int64_t sum = 0;
  for (const auto& layer : layers)
    sum += layer.parameters;
  return sum;
}

std::map<PlanLayerKind, std::int64_t> NetworkPlan::macsByKind() const {
  std::map<PlanLayerKind, std::int64_t> sums;
  for (const auto& layer : layers)
    if (layer.macs > 0)
      sums[layer.kind] += layer.macs;
  return sums;
}

std::int64_t NetworkPlan::elementsThrough(PlanLayerKind kind) const {
  std::int64_t sum = 0;
  for (const auto& layer : layers)
    if (layer.kind == kind)
      sum += layer.outElements();
  return sum;
}

double NetworkPlan::flops(StepKind step) const {
  double sum = 0;
  for (const auto& layer : layers)
    sum += 2.0 * static_cast<double>(layer.macs) * (step != StepKind::Train ? 1 : isAttention(layer.kind) ? 4 : 3);
  return sum;
}

const PlannedLayer* NetworkPlan::find(std::string_view name) const {
  const auto it = std::find_if(layers.begin(), layers.end(), [name](const PlannedLayer& layer) { return layer.name == name; });
  return it == layers.end() ? nullptr : &*it;
}

Result<NetworkPlan> planNetwork(const NetworkSpec& network, std::array<std::int64_t, 3> size, std::int64_t batch) {
  constexpr double kMostElements = 1e11, kMostTokens = 1e7; // what 64-bit counts of multiply-adds have room for
  if (network.levels() < 1 || network.levels() > 8 || network.baseChannels < 1 || network.residualBlocks < 1)
    return fail(ExitCode::Usage, "A network needs 1 to 8 levels, channels and at least one residual block a level.");
  double elements = static_cast<double>(batch) * 2 * network.width(0);
  for (auto& side : size) {
    if (side < 1 || batch < 1)
      return fail(ExitCode::Usage, "The volume's size and the batch have to be at least 1.");
    elements *= static_cast<double>(side);
    if (elements > kMostElements)
      return fail(ExitCode::Usage, "One feature map of this network would exceed 400 GB: choose a smaller volume or batch.");
    const std::int64_t multiple = network.sizeMultiple();
    side = (side + multiple - 1) / multiple * multiple;
  }
  for (const int factor : network.attentionFactors)
    if (factor > 0 && elements / static_cast<double>(batch) / 2 / network.width(0) / factor / factor / factor > kMostTokens)
      return fail(ExitCode::Usage, "Attention at down-sampling factor " + std::to_string(factor) +
                                       " would compare more than ten million voxels with each other: choose a larger factor.");
  NetworkPlan plan;
  plan.network = network;
  plan.size = size;
  plan.batch = batch;
  Planner(plan).run();
  return plan;
}

} // namespace voxlab
