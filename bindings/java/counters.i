// The allow-list of counters and their numbers: a part of polyflake.i.

%{
#include "counters.hpp"
%}

%rename(counterNumberOptions) polyflake::facade::counter_number_options;

%rename(NativeDateNumbers) polyflake::facade::DateNumbers;
%rename(NativeDateNumbers) polyflake::facade::DateNumbers::~DateNumbers;
%rename(NativeDateNumbers) polyflake::facade::DateNumbers::DateNumbers(const std::string&, std::int64_t, const std::string&);
%rename("%s") polyflake::facade::DateNumbers::period;
%rename("%s") polyflake::facade::DateNumbers::digits;
%rename("%s") polyflake::facade::DateNumbers::prefix;
%rename("%s") polyflake::facade::DateNumbers::number;
%rename(labelOf) polyflake::facade::DateNumbers::label_of;
%rename(countOf) polyflake::facade::DateNumbers::count_of;
%rename("%s") polyflake::facade::DateNumbers::text;
%rename("%s") polyflake::facade::DateNumbers::parse;

%rename(isZoneName) polyflake::facade::is_zone_name;
%rename(NativeDatePeriod) polyflake::facade::DatePeriod;
%rename(NativeDatePeriod) polyflake::facade::DatePeriod::~DatePeriod;
%rename("%s") polyflake::facade::DatePeriod::label;
%rename(startMs) polyflake::facade::DatePeriod::start_ms;
%rename(endMs) polyflake::facade::DatePeriod::end_ms;
%rename(periodAt) polyflake::facade::period_at;

%typemap(javainterfaces) polyflake::facade::Counter "StoreGrant"
%rename(NativeCounter) polyflake::facade::Counter;
%rename(NativeCounter) polyflake::facade::Counter::~Counter;
%rename(NativeCounter) polyflake::facade::Counter::Counter(const StoreAddress&, const std::string&, const std::vector<std::string>&, const std::vector<std::int64_t>&, const std::string&);
%rename(NativeCounter) polyflake::facade::Counter::Counter(const StoreAddress&, const std::string&, const DateNumbers&, const std::string&, const std::vector<std::string>&, const std::vector<std::int64_t>&, const std::string&);
%rename("%s") polyflake::facade::Counter::granted;
%rename(raiseFailure) polyflake::facade::Counter::raise_failure;
%rename(acquireTimeoutMs) polyflake::facade::Counter::acquire_timeout_ms;
%rename(commandTimeoutMs) polyflake::facade::Counter::command_timeout_ms;
%rename("%s") polyflake::facade::Counter::release;
%rename(namespaceUuid) polyflake::facade::Counter::namespace_uuid;
%rename(takeReport) polyflake::facade::Counter::take_report;

%rename(setCounter) polyflake::facade::Options::set_counter;

%rename(NativeCountedSource) polyflake::facade::CountedSource;
%rename(NativeCountedSource) polyflake::facade::CountedSource::~CountedSource;
%rename(NativeCountedSource) polyflake::facade::CountedSource::CountedSource(const Options&);
%rename(waitNs) polyflake::facade::CountedSource::wait_ns;
%rename(takeWake) polyflake::facade::CountedSource::take_wake;
%rename("%s") polyflake::facade::CountedSource::state;
%rename("%s") polyflake::facade::CountedSource::close;
%rename("%s") polyflake::facade::CountedSource::closed;
%rename("%s") polyflake::facade::CountedSource::stats;
%rename(claimHeld) polyflake::java::claim_held;
%rename(claimNext) polyflake::java::claim_next;
%rename(claimUnlessWaiting) polyflake::java::claim_unless_waiting;
%rename(rangeWords) polyflake::java::range_words;
%rename(claimNumbers) polyflake::java::claim_numbers;

%rename(NativeCounterTask) polyflake::facade::CounterTask;
%rename(NativeCounterTask) polyflake::facade::CounterTask::~CounterTask;
%rename("%s") polyflake::facade::CounterTask::init;
%rename("%s") polyflake::facade::CounterTask::set;

%rename(NativeCounterList) polyflake::facade::CounterList;
%rename(NativeCounterList) polyflake::facade::CounterList::~CounterList;
%rename(NativeCounterList) polyflake::facade::CounterList::CounterList(const StoreAddress&, const std::string&);
%rename("%s") polyflake::facade::CounterList::count;
%rename("%s") polyflake::facade::CounterList::texts;
