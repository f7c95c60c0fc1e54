#include "facade/source.hpp"

#include "facade/counted_source.hpp"
#include "facade/generator.hpp"
#include "facade/kinds.hpp"
#include "facade/process.hpp"
#include "kinds/kind.hpp"

namespace polyflake::facade {

Source::~Source() = default;

Source::Source(const Kind& kind) : kind_(kind), is_counted_(kind.is_counted) {}

std::unique_ptr<Source> Source::open(const Options& options) {
  if (options.kind().is_counted) return std::make_unique<CountedSource>(options);
  if (options.kind().has_positions()) return std::make_unique<Generator>(options);
  return std::make_unique<FreeSource>(options);
}

bool Source::has_positions() const { return kind_.has_positions(); }

bool Source::has_uuids() const { return kind_.form.is_uuid; }

std::size_t Source::text_length() const { return kind_.form.text_length; }

void Source::write_text(const unsigned char* id, char* text) const { kind_.form.write(id, text); }

void Source::fill(Filling& filling, unsigned char* ids, std::size_t n) {
  do {
    if (filling.execution != execution()) {
      filling = {};
      filling.execution = execution();
      expect(n);
      if (n == 0) claim_ids(ids, 0);  // a closed source refuses
    }
    filling.waits = false;
    while (filling.done < n) {
      const IdRange range = claim_ids(ids + filling.done * id_bytes(), n - filling.done);
      filling.done += range.count;
      filling.position = range.last();
      filling.waits = !range.ready;
      if (filling.waits) return;
    }
  } while (filling.execution != execution());
}

}  // namespace polyflake::facade
