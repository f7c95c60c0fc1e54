/** 64-bit, time-ordered ids that are never equal. */
module io.github.polyflake {
  requires static java.sql;
  requires static redis.clients.jedis;
  requires static lettuce.core;
  requires static curator.client;
  requires static curator.framework;
  requires static zookeeper;
  requires static jetcd.api;
  requires static jetcd.common;
  requires static jetcd.core;

  exports io.github.polyflake;
  exports io.github.polyflake.stores;
}
