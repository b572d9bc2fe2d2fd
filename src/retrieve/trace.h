// TraceBuilder: times the stages of a query and, when asked, keeps what each one saw.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lectern/types.h"

namespace lectern::retrieve {

class TraceBuilder {
 public:
  explicit TraceBuilder(bool explain) : explain_(explain) {}

  bool explain() const { return explain_; }

  // Ends the stage that ran since the last call (or since construction).
  TraceStage& end_stage(std::string name) {
    const auto now = Clock::now();
    TraceStage stage;
    stage.name = std::move(name);
    stage.ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    stages_.push_back(std::move(stage));
    return stages_.back();
  }

  // Stage name and milliseconds, "total" first; stages of one name are summed.
  std::vector<std::pair<std::string, double>> timings() const {
    std::vector<std::pair<std::string, double>> out;
    out.emplace_back("total",
                     std::chrono::duration<double, std::milli>(Clock::now() - start_).count());
    for (const TraceStage& stage : stages_) {
      bool known = false;
      for (auto& [name, ms] : out) {
        if (name == stage.name) {
          ms += stage.ms;
          known = true;
        }
      }
      if (!known) out.emplace_back(stage.name, stage.ms);
    }
    return out;
  }

  Trace take() { return {std::move(stages_)}; }

 private:
  using Clock = std::chrono::steady_clock;
  bool explain_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::vector<TraceStage> stages_;
};

}  // namespace lectern::retrieve
