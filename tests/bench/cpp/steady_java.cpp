// Numbers of a counter at a steady rate, in made-up time, as the core takes them for all languages: bench.Steady.
#include <jni.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "steady_use.hpp"

// static native long[] ofTheCore(long rate, int warmUpMs, int ms): as bench.Steady measures others.
extern "C" JNIEXPORT jlongArray JNICALL Java_bench_Steady_ofTheCore(JNIEnv* env, jclass, jlong rate, jint warm_up_ms,
                                                                    jint ms) {
  polyflake::count::by_hand::SteadyUse use(static_cast<std::uint64_t>(rate));
  use.run(warm_up_ms);
  const std::uint64_t calls = use.calls(), fetches = use.fetches(), requests = use.requests(), waits = use.waits();
  std::uint64_t most_held = 0;
  for (jint passed = 0; passed < ms; ++passed) {
    use.run(1);
    most_held = std::max(most_held, use.held());
  }
  const std::uint64_t counts[] = {use.calls() - calls, use.fetches() - fetches, use.requests() - requests, most_held,
                                  use.waits() - waits};
  jlong figures[std::size(counts)];
  std::copy(std::begin(counts), std::end(counts), figures);
  constexpr jsize kFigures = std::size(figures);
  const jlongArray array = env->NewLongArray(kFigures);
  if (array != nullptr) env->SetLongArrayRegion(array, 0, kFigures, figures);
  return array;
}
