# redis-rb, driven by lines as client_programs.py says. It speaks RESP 2.
require "redis"

def answer(client, verb, key, count = 1)
  case verb
  when "incr" then [client.incr(key)]
  when "next" then [client.call("POLYFLAKE.NEXT", key)]
  when "batch" then client.call("POLYFLAKE.NEXT", key, count)
  when "decode" then client.call("POLYFLAKE.DECODE", key)
  when "incrs" then client.pipelined { |pipeline| count.to_i.times { pipeline.incr(key) } }
  when "nexts" then client.pipelined { |pipeline| count.to_i.times { pipeline.call("POLYFLAKE.NEXT", key) } }
  end
end

$stdout.sync = true
client = nil
$stdin.each_line do |line|
  verb, *words = line.split
  begin
    if verb == "open"
      client&.close
      client = Redis.new(port: words[0].to_i, username: words[2], password: words[3])
      said = ["redis-rb", Redis::VERSION]
    else
      said = answer(client, verb, *words)
    end
    puts "= #{said.join(" ")}"
  rescue Redis::BaseError => error
    puts "! #{error.message.split.join(" ")}"
  end
end
