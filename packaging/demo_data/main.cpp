// SPDX-License-Identifier: Apache-2.0
// voxlab-demo-data: a folder of image and mask pairs from a few real heads, varied. Same call, same data.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/imaging/volume_io.h"
#include "packaging/demo_data/subject.h"
#include <CLI/CLI.hpp>
#include <cstdio>

namespace {
using namespace voxlab;

struct Options {
  std::vector<std::string> subjects;
  std::filesystem::path output;
  int size = 64, variants = 12;
  double edge_mm = 240;
  std::uint64_t seed = 1;
};

Status writePairs(const Subject& subject, const Options& options, const std::filesystem::path& folder) {
  for (int number = 0; number < options.variants; ++number) {
    const Pair pair = drawPair(subject, drawVariation(options.seed, subject.name, number), options.size, options.edge_mm);
    char name[32];
    std::snprintf(name, sizeof name, "_aug%02d.nii.gz", number);
    if (auto written = writeNifti(folder / "images" / (subject.name + name), pair.image, VoxelType::Int16); !written)
      return written;
    if (auto written = writeNifti(folder / "masks" / (subject.name + name), pair.mask, VoxelType::UInt8); !written)
      return written;
  }
  std::printf("%s: %d pairs\n", subject.name.c_str(), options.variants);
  return {};
}

Json card(const Options& options) {
  return {{"made_by", "voxlab-demo-data"},
          {"subjects", options.subjects},
          {"variants_per_subject", options.variants},
          {"size", options.size},
          {"edge_mm", options.edge_mm},
          {"seed", options.seed},
          {"labels", {{"1", "head, skin and skull included"}, {"2", "brain"}}}};
}

// Into a folder beside, which takes its name when all is there.
Status make(const Options& options) {
  if (std::filesystem::exists(options.output))
    return fail(ExitCode::Usage, options.output.string() + " is there already; remove it or name another folder.");
  const auto folder = temporaryBeside(options.output);
  std::error_code ec;
  std::filesystem::create_directories(folder / "images", ec);
  std::filesystem::create_directories(folder / "masks", ec);
  if (ec)
    return fail(ExitCode::Data, "Could not make " + folder.string() + ": " + ec.message() + ".");
  const auto fill = [&]() -> Status {
    for (const auto& text : options.subjects) {
      const auto source = parseSubject(text);
      if (!source)
        return fail(source.error());
      const auto subject = readSubject(*source);
      if (!subject)
        return fail(subject.error());
      if (auto written = writePairs(*subject, options, folder); !written)
        return written;
    }
    return writeJsonFile(folder / "dataset.json", card(options));
  };
  Status result = fill();
  if (result)
    result = renameIntoPlace(folder, options.output);
  std::filesystem::remove_all(folder, ec);
  return result;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Makes image and mask pairs for a demonstration from a few real T1 heads, varied. Masks: 1 head, 2 brain."};
  app.add_option("-s,--subject", options.subjects,
                 "NAME=IMAGE,BRAIN: a T1 head and a volume above zero in its brain; NAME=IMAGE: a brain without its head")
      ->required();
  app.add_option("-o,--output", options.output, "Folder to make; images/ and masks/ go into it")->required();
  app.add_option("--size", options.size, "Voxels along each edge")->check(CLI::Range(8, 256))->capture_default_str();
  app.add_option("--edge-mm", options.edge_mm, "Edge of the cube")->check(CLI::Range(50.0, 500.0))->capture_default_str();
  app.add_option("--variants", options.variants, "Pairs per subject; the first is the head as it is")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the variations")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : static_cast<int>(ExitCode::Usage);
  }
  if (const auto made = make(options); !made) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return static_cast<int>(made.error().code);
  }
  return 0;
}
