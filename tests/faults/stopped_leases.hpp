// Leases on a clock that goes on only while the test waits: those who hold them are never late.
#pragma once

#include "stopped_time.hpp"
#include "timed_waits.hpp"

namespace polyflake::test {

class StoppedLeases : public StoppedTime {
 protected:
  StoppedLeases() {
    let_sleepers_heed_timed_waits();
    let_own_timed_waits_pass_time();
  }
};

}  // namespace polyflake::test
