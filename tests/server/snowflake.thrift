// The service of Twitter's Snowflake of 2010, under its own names, and what polyflaked adds to it.
// A service that extends another is the same on the wire as one with the methods of both.
namespace java com.twitter.service.snowflake.gen

exception InvalidSystemClock {
  1: string message,
}

exception InvalidUserAgentError {
  1: string message,
}

service Snowflake {
  i64 get_worker_id()
  i64 get_timestamp()
  i64 get_id(1: string useragent)
  i64 get_datacenter_id()
}

service Batches extends Snowflake {
  list<i64> get_ids(1: string useragent, 2: i32 n)
}
