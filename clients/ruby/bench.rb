#!/usr/bin/env ruby
# frozen_string_literal: true

# Compares Gid with the UUIDs of Ruby: nanoseconds of an operation, of Gid and of a UUID, as medians of rounds in turn.

require_relative "lib/pg_gid"

COUNT = 5000
UUID = /\A\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\z/
VERSION = SecureRandom.respond_to?(:uuid_v7) ? :uuid_v7 : :uuid
ids, uuids = Array.new(COUNT) { Gid.generate("o") }, Array.new(COUNT) { SecureRandom.public_send(VERSION) }

# Ruby has no class of UUIDs, so there are 16 bytes in place of one.
parse_uuid = ->(text) { UUID.match?(text) ? [text.delete("-")].pack("H*") : raise(ArgumentError) }
operations = {
  "new" => [[ids, ->(_) { Gid.generate("o") }], [uuids, ->(_) { SecureRandom.public_send(VERSION) }]],
  "parse" => [[ids.map(&:to_s), ->(text) { Gid.new(text) }], [uuids, parse_uuid]],
  "format" => [[ids, :to_s.to_proc], [uuids.map(&parse_uuid), ->(bytes) { bytes.unpack("H8H4H4H4H12").join("-") }]]
}

puts "other\tSecureRandom of Ruby #{RUBY_VERSION}, #{VERSION}; pack and unpack"
operations.each do |name, sides|
  rounds = Array.new(25) do
    sides.map do |values, call|
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      values.each(&call)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start) / COUNT.to_f
    end
  end
  puts [name, *rounds.transpose.map { |times| times.sort[12].round(1) }].join("\t")
end
