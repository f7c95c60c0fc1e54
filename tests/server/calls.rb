# Calls each method: ruby -I STUBS calls.rb PORT framed|unframed. Prints a line for each reply.
require 'thrift'
require 'batches'

def print_reply(name)
  puts "#{name} #{yield}"
rescue Thrift::ApplicationException => e
  puts "#{name} error #{e.type} #{e.message}"
end

socket = Thrift::Socket.new('127.0.0.1', ARGV[0].to_i)
transport = (ARGV[1] == 'framed' ? Thrift::FramedTransport : Thrift::BufferedTransport).new(socket)
transport.open
client = Batches::Client.new(Thrift::BinaryProtocol.new(transport))
print_reply('worker') { client.get_worker_id }
print_reply('datacenter') { client.get_datacenter_id }
print_reply('time') { client.get_timestamp }
100.times { print_reply('id') { client.get_id('ruby-client') } }
print_reply('ids') { client.get_ids('ruby-client', 5) }
print_reply('agent') { client.get_id('ruby_client') }
print_reply('none') { client.get_id(nil) }
print_reply('batch') { client.get_ids('ruby-client', 0) }
transport.close
