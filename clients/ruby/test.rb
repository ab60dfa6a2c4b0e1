# frozen_string_literal: true

# Shows what the conformance test does not ask: what is Ruby's own, and ruby-pg.

require "json"
require "set"
require "pg_gid"
require "pg_gid/pg"

def shows(what, holds)
  puts "#{holds ? "ok" : "not ok"} - #{what}"
end

def error
  yield
  nil
rescue StandardError => e
  e
end

class OrderId < Gid
  kind "o"
end

class PaidOrderId < OrderId; end

id = Gid.new("A4KfAtmq1H-43VMdfVBbxRrN")
same = Gid.new("WWnWBiNLDdPGn6shGCuJTG")
log = Gid.new("74ggbzxuMf-2uAmM7FwXntwW")

shows "text, compact, inspect", "<#{id}>" == "<#{id.text}>" && id.compact == "WWnWBiNLDdPGn6shGCuJTG" && id.inspect == "#<Gid A4KfAtmq1H-43VMdfVBbxRrN>"
shows "bytes", id.bytes.encoding == Encoding::BINARY && Gid.from_bytes(id.bytes) == id && Gid.from_bytes(id.bytes.dup.force_encoding("UTF-8")) == id
shows "time", id.time == Time.utc(2026, 11, 21, 18, 42, Rational(22_848, 1000)) && id.time.utc? && id.instant == 1_795_286_542_848_060
shows "equal, hashed, ordered", id == same && id.eql?(same) && Set[id, same, OrderId.new(id)].size == 1 && [id, log].min == log && id.between?(log, id)
shows "no equal of its text", id != id.text && id != 1 && (id <=> id.text).nil? && error { id < id.text }.is_a?(ArgumentError)
shows "frozen, and so are copies and kinds", [id, id.dup, id.clone(freeze: false), id.bytes, id.kind, Gid.generate(200).kind].all?(&:frozen?)
shows "JSON", JSON.generate("id" => id, id => 1) == '{"id":"A4KfAtmq1H-43VMdfVBbxRrN","A4KfAtmq1H-43VMdfVBbxRrN":1}'
copy = Marshal.load(Marshal.dump(OrderId.new(id)))
shows "marshalled", copy == id && copy.frozen? && copy.instance_of?(OrderId)
broken = ["\x7f" * 16, "\xff" * 15, log.bytes].map { |bytes| error { OrderId.allocate.marshal_load(bytes) } }
shows "marshalled data that is no id of the class", broken.all?(Gid::Error)
case id
in { kind: "o", prefix: } then shows "pattern matching", prefix == 239
end
shows "all that pattern matching offers", id.deconstruct_keys(nil).then { |parts| parts[:time] == id.time && parts.size == 11 } && id.deconstruct_keys([:name]).empty?
$VERBOSE, verbose = nil, $VERBOSE # without the warning that Ractors are experimental
minted = Ractor.new { Array.new(100) { OrderId.generate } }.take
$VERBOSE = verbose
shows "in a Ractor", minted == minted.uniq.sort && minted.all? { |made| made.kind == "o" }
shows "a TypeError for what is neither", [nil, 7, :o, ["x"]].all? { |value| error { Gid.new(value) }.is_a?(TypeError) && !Gid.valid?(value) }

shows "a class of one kind",
      OrderId.kind == "o" && Gid.kind.nil? && PaidOrderId.kind == "o" && OrderId.generate.instance_of?(OrderId) &&
      PaidOrderId.new(id.text).kind == "o" && OrderId.generate(:O).kind == "o" &&
      OrderId.lower_bound(id.time) == Gid.lower_bound("o", id.time) && OrderId.upper_bound(0) == Gid.upper_bound("o", 0)
refused = error { OrderId.new(log) }
shows "a class of one kind rejects another kind", refused.is_a?(Gid::Error) && refused.message.start_with?('gid of kind "log" does not match type gid(o). ')
shows "the methods of a class of one kind reject another kind", [-> { OrderId.generate("c") }, -> { OrderId.parse(id, "c") }, lambda {
  OrderId.from_bytes(log.bytes)
}].all? { |call| error(&call).is_a?(Gid::Error) }
shows "Gid asks for a kind", error { Gid.generate }.is_a?(ArgumentError)
shows "kinds as names, symbols and numbers", ["o", "O", :o, 239, "239"].all? { |kind| Gid.generate(kind).kind == "o" && Gid.valid?(id, kind) }
shows "no kind", ["orders", 127, 255, ""].all? { |kind| error { Gid.generate(kind) }.is_a?(Gid::Error) } && error { Gid.generate(1.5) }.is_a?(TypeError)
at = Time.utc(2001, 2, 3, 4, 5, Rational(6_789_012, 1_000_000))
shows "for a Time", Gid.generate("o", at).bytes.unpack("x7 Cn").then { |byte, micro| [byte, micro >> 6] } == [255, 12] && error do
  Gid.generate("o", "2001-02-03")
end.is_a?(TypeError)

# In a trap handler, by a clock that stands.
mint = Gid.const_get(:Mint)
mint.define_singleton_method(:clock) { 4_000_000_000_000_000 }
trapped = [Gid.generate("o")]
trap(:USR1) { 10.times { trapped << Gid.generate("o") } }
Process.kill(:USR1, Process.pid)
sleep 0.01 while trapped.size < 11
trapped << Gid.generate("o")
mint.define_singleton_method(:clock) { Process.clock_gettime(Process::CLOCK_REALTIME, :microsecond) }
shows "ids of a trap handler and around it increase", trapped == trapped.uniq.sort

# ruby-pg.

db = PG.connect
db.exec("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS gid")
before = db.exec("SELECT gid_new('o')").getvalue(0, 0)
Gid::PG.register(db)
value = ->(sql, *parameters) { db.exec_params(sql, parameters).getvalue(0, 0) }
minted = value["SELECT gid_new('o')"]
shows "an id in results", minted.is_a?(Gid) && minted > Gid.new(before)
shows "in binary", db.exec_params("SELECT gid_new('o')", [], 1).getvalue(0, 0).is_a?(Gid)
shows "as a parameter", value["SELECT pg_typeof($1)::text", minted] == "gid" && value["SELECT $1::gid", minted] == minted
shows "in arrays", value["SELECT $1", [minted, nil]] == [minted, nil] && value["SELECT ARRAY[$1::gid, NULL]", minted] == [minted, nil]
shows "other parameters and results are as before",
      value["SELECT $1::int", 7] == "7" && value["SELECT $1::text", nil].nil? && value["SELECT $1::int[]", "{1,2}"] == "{1,2}"
refused = error { value["SELECT $1::gid(c)", minted] }
shows "a wrong kind is rejected: #{refused.message.lines.first.strip}", refused.is_a?(PG::InvalidParameterValue)
refused = error { Gid::PG.register(db, "nowhere.gid") }
shows "a type that is not there: #{refused.message}", refused.is_a?(KeyError)
