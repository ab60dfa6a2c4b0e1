require "pg_gid"

# Ruby has no class of UUIDs, so there are 16 bytes in place of one.
FORM = /\A\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\z/
parse = ->(text) { FORM.match?(text) ? [text.delete("-")].pack("H*") : raise(ArgumentError) }
id, other = Gid.generate("o"), SecureRandom.uuid_v7
text, bytes = id.to_s, parse.(other)
calls = [-> { Gid.generate("o") }, -> { SecureRandom.uuid_v7 }, -> { Gid.new(text) }, -> { parse.(other) },
         -> { id.to_s }, -> { bytes.unpack("H8H4H4H4H12").join("-") }]
(calls * 5_000).each do |call|
  begun = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
  200.times { call.() }
  puts Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - begun
end
