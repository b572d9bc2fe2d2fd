// Throughput of the steps every note passes through, in bytes of Markdown a second:
// folding, tokenising, token estimate, sentences, parsing, chunking.
#include <benchmark/benchmark.h>

#include <string>

#include "chunk/chunk.h"
#include "text/normalize.h"
#include "text/sentences.h"
#include "text/token_estimate.h"
#include "text/tokenize.h"
#include "vault/parse.h"

namespace lectern {
namespace {

// About 64 KB: prose in three scripts, lists, a table, links and code.
const std::string& sample() {
  static const std::string text = [] {
    std::string out = "---\ntitle: Sample\ntags: [a, b]\n---\n# Sample\n";
    for (int i = 0; out.size() < (64u << 10); ++i) {
      const std::string n = std::to_string(i);
      out += "\n## Section " + n + "\n\nThe gateway INC-0" + n +
             " timed out after 30 s while [[Proxy " + n +
             "|the proxy]] drained. Straße und Maß. Записка о шлюзе.\n中文合約轉換體驗課問題。\n\n"
             "- first item with `code`\n- [x] second item\n  wrapped line\n\n"
             "| key | value |\n|---|---|\n| limit | " +
             n + " |\n\n```\n# not a heading\n```\n";
    }
    return out;
  }();
  return text;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(sample().size()));
}

void fold(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(text::fold(sample()));
  count_bytes(state);
}
BENCHMARK(fold);

void tokenize(benchmark::State& state) {
  for (auto _ : state) {
    size_t tokens = 0;
    text::tokenize(sample(), [&](const text::Token&) { ++tokens; });
    benchmark::DoNotOptimize(tokens);
  }
  count_bytes(state);
}
BENCHMARK(tokenize);

void estimate_tokens(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(text::estimate_tokens(sample()));
  count_bytes(state);
}
BENCHMARK(estimate_tokens);

void split_sentences(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(text::split_sentences(sample()));
  count_bytes(state);
}
BENCHMARK(split_sentences);

void parse_note(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(vault::parse_note("sample.md", sample()));
  count_bytes(state);
}
BENCHMARK(parse_note);

void make_chunks(benchmark::State& state) {
  const Note note = vault::parse_note("sample.md", sample());
  for (auto _ : state) {
    benchmark::DoNotOptimize(chunk::make_chunks(note, ChunkConfig{}, text::estimate_tokens));
  }
  count_bytes(state);
}
BENCHMARK(make_chunks);

}  // namespace
}  // namespace lectern

BENCHMARK_MAIN();
