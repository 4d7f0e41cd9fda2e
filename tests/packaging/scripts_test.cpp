// SPDX-License-Identifier: Apache-2.0
// The scripts a newcomer meets first: they are bash, and what goes wrong is said in a sentence. The system's tools are
// replaced by fakes, so nothing is installed or downloaded.
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

using namespace voxlab;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<fs::path> scripts() {
  std::vector<fs::path> found{sourceFolder() / ".ci/run"};
  for (const auto& entry : fs::directory_iterator(sourceFolder() / "packaging"))
    if (entry.path().extension() == ".sh")
      found.push_back(entry.path());
  return found;
}

class Setup : public testing::Test {
protected:
  void SetUp() override {
    fs::create_directories(folder / "fakes");
    fake("dpkg-query", "shift 2; for package; do echo \"ii $package\"; done"); // everything is installed
  }
  void fake(const std::string& name, const std::string& body) {
    const auto file = folder / "fakes" / name;
    ASSERT_TRUE(writeFileAtomically(file, "#!/bin/bash\n" + body + "\n"));
    fs::permissions(file, fs::perms::owner_all);
  }
  ProcessEnd run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
    environment.try_emplace("VOXLAB_VENV", (folder / "venv").string());
    environment.insert(
        {{"PATH", (folder / "fakes").string() + ":/usr/bin:/bin"}, {"Torch_DIR", ""}, {"Torch_ROOT", ""}, {"CUDACXX", ""}});
    arguments.insert(arguments.begin(), (sourceFolder() / "packaging/setup.sh").string());
    return runProcess("/bin/bash", arguments, environment);
  }
  TemporaryFolder folder;
};

} // namespace

TEST(Scripts, AreBash) {
  for (const auto& script : scripts()) {
    const auto end = runProcess("/bin/bash", {"-n", script.string()});
    EXPECT_EQ(end.exitCode, 0) << script << ": " << end.errors;
  }
}

TEST(Scripts, ReadmeNamesWhatIsThere) {
  const std::string readme = readTextFile(sourceFolder() / "README.md").value();
  const std::regex name(R"((packaging|resources|core|tests)/[A-Za-z0-9_./-]*[A-Za-z0-9])");
  for (auto it = std::sregex_iterator(readme.begin(), readme.end(), name); it != std::sregex_iterator(); ++it)
    EXPECT_TRUE(fs::exists(sourceFolder() / it->str()) || it->str().starts_with("resources/starter"))
        << "README.md names " << it->str();
}

TEST_F(Setup, PlanSaysWhatWouldBeDownloadedAndStops) {
  const auto end = run({"--cpu", "--plan"});
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("3 wheels"));
  EXPECT_THAT(end.output, HasSubstr("download: 544 MB"));
  EXPECT_FALSE(fs::exists(folder / "venv"));
}

TEST_F(Setup, UnknownOptionIsNamed) {
  const auto end = run({"--gpu"});
  EXPECT_NE(end.exitCode, 0);
  EXPECT_THAT(end.errors, HasSubstr("unknown option --gpu"));
}

TEST_F(Setup, WithoutRightsItSaysWhatAnAdministratorHasToInstall) {
  fake("dpkg-query", "exit 1");
  fake("id", "echo 1000");
  fake("sudo", "exit 1");
  const auto end = run({"--cpu"});
  EXPECT_NE(end.exitCode, 0);
  EXPECT_THAT(end.errors, HasSubstr("sudo wants a password but there is no terminal"));
  EXPECT_THAT(end.errors, HasSubstr("apt-get install --no-install-recommends build-essential cmake"));
}

TEST_F(Setup, BrokenNetworkIsNamedAndNothingIsLeftHalfDone) {
  fake("dpkg-query", "exit 1");
  fake("dpkg", "exit 0");
  fake("id", "echo 0");
  fake("apt-get", "echo 'E: Temporary failure resolving' >&2; exit 100");
  fake("env", "while [[ $1 = *=* ]]; do shift; done; exec \"$@\"");
  const auto end = run({"--cpu"});
  EXPECT_NE(end.exitCode, 0);
  EXPECT_THAT(end.errors, HasSubstr("could not be fetched"));
  EXPECT_THAT(end.errors, HasSubstr("Check the network"));
}

TEST_F(Setup, FullDiskIsSeenBeforeAnythingBegins) {
  fake("df", "echo head; echo 'disk 1000 900 100 90% /'");
  const auto end = run({"--cpu"});
  EXPECT_NE(end.exitCode, 0);
  EXPECT_THAT(end.errors, HasSubstr("100 MB are free"));
  EXPECT_FALSE(fs::exists(folder / "venv"));
}

TEST_F(Setup, WheelThatDoesNotArriveIsNamedAndTheOthersStay) {
  // A venv whose pip installs all but the second wheel.
  fake("python3", R"sh(mkdir -p "$3/bin" "$3/lib/python3.11/site-packages"
cat >"$3/bin/python" <<'PIP'
#!/bin/bash
wheel=${!#}
[ "$3" = --version ] && exit 0
[[ $wheel = nvidia-cuda-runtime* ]] && { echo "ERROR: Connection broken" >&2; exit 1; }
name=${wheel%%==*}
site=$(dirname "$(dirname "$0")")/lib/python3.11/site-packages/${name//-/_}-${wheel##*==}.dist-info
mkdir -p "$site" && touch "$site/INSTALLER"
PIP
chmod +x "$3/bin/python")sh");
  const auto end = run({"--cpu"});
  EXPECT_NE(end.exitCode, 0);
  EXPECT_THAT(end.errors, HasSubstr("nvidia-cuda-runtime==13.0.96 could not be fetched"));
  const auto again = run({"--cpu", "--plan"});
  EXPECT_THAT(again.output, HasSubstr("2 wheels")) << "the first is not fetched twice";
}

TEST_F(Setup, SomebodyElsesEnvironmentIsUsedAsItIsOrRefused) {
  fs::create_directories(folder / "venv/lib/python3.11/site-packages/torch/lib");
  const auto without = run({"--cpu"});
  EXPECT_NE(without.exitCode, 0);
  EXPECT_THAT(without.errors, HasSubstr("there is no LibTorch in it"));
  ASSERT_TRUE(writeFileAtomically(folder / "venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so", ""));
  const auto with = run({"--cpu"});
  EXPECT_EQ(with.exitCode, 0) << with.errors;
  EXPECT_THAT(with.output, HasSubstr("used as it is"));
  EXPECT_THAT(with.output, HasSubstr("nothing to download"));
}
