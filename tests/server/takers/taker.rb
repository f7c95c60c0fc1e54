# Takes ids with redis-rb or Thrift's stubs: ruby -I STUBS taker.rb resp|thrift PORT... Its output: takers.py.
require "redis"
require "thrift"
require "batches"

TIMEOUT_S = 1
PAUSE_S = 0.01

# The server gave a reason instead of ids.
class Refused < StandardError
end

class OfRedis
  def initialize(port)
    @redis = Redis.new(port: port, timeout: TIMEOUT_S, reconnect_attempts: 0)
  end

  def take
    @redis.call("POLYFLAKE.NEXT", "orders", 10)
  rescue Redis::CommandError => error
    raise Refused, error.message[/\APOLYFLAKE (\w+)/, 1]
  end

  def close
    @redis.close
  end
end

class OfThrift
  def initialize(port)
    @transport = Thrift::FramedTransport.new(Thrift::Socket.new("127.0.0.1", port, TIMEOUT_S))
    @transport.open
    @client = Batches::Client.new(Thrift::BinaryProtocol.new(@transport))
  end

  def take
    @client.get_ids("ruby-client", 10)
  rescue Thrift::ApplicationException => error
    raise Refused, error.message[/\A\w+/]
  end

  def close
    @transport.close
  end
end

$stdout.sync = true
protocol, *ports = ARGV
ports.map(&:to_i).cycle do |port|
  client = (protocol == "thrift" ? OfThrift : OfRedis).new(port)
  puts "+"
  loop do
    puts "= #{client.take.join(" ")}"
  rescue Refused => refusal
    puts "! #{refusal.message}"
  ensure
    sleep PAUSE_S
  end
rescue Redis::BaseError, Thrift::Exception, SystemCallError, IOError
  client&.close
  puts "-"
  sleep PAUSE_S
end
