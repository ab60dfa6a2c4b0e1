# frozen_string_literal: true

# Shows what the conformance test does not ask: what is Ruby's own, and ruby-pg.

require "json"
require "set"
require "pg_gid"
require "pg_gid/pg"
require_relative "testing"

class OrderId < Gid
  kind "o"

  class Paid < self; end
end

id = Gid.new("A4KfAtmq1H-43VMdfVBbxRrN")
log = Gid.new("74ggbzxuMf-2uAmM7FwXntwW")

shows "equal, hashed, ordered", id.eql?(Gid.new(id)) && Set[id, OrderId.new(id)].size == 1 && [id, log].min == log && id.between?(log, id)
shows "no equal of its text", id != id.to_s && id != 1 && (id <=> id.to_s).nil? && error { id < id.to_s }.is_a?(ArgumentError)
shows "frozen, and so are copies and kinds", [id, id.dup, id.clone(freeze: false), id.bytes, id.kind, Gid.generate(200).kind].all?(&:frozen?)
shows "inspect and JSON", id.inspect == "#<Gid #{id}>" && JSON.generate("id" => id, id => 1) == '{"id":"A4KfAtmq1H-43VMdfVBbxRrN","A4KfAtmq1H-43VMdfVBbxRrN":1}'
shows "an age of minus one day", Gid.const_get(:Explanation).interval(-86_400_000_000) == "-1 days"
copy = Marshal.load(Marshal.dump(OrderId.new(id)))
shows "marshalled", copy == id && copy.frozen? && copy.instance_of?(OrderId)
broken = ["\x7f" * 16, "\xff" * 15, log.bytes].map { |bytes| error { OrderId.allocate.marshal_load(bytes) } }
shows "marshalled data that is no id of the class", broken.all?(Gid::Error)
$VERBOSE, verbose = nil, $VERBOSE # without the warning that Ractors are experimental
minted = Ractor.new { Array.new(100) { OrderId.generate } }.take
$VERBOSE = verbose
shows "in a Ractor", minted == minted.uniq.sort && minted.all? { |made| made.kind == "o" }

shows "a class of one kind",
      OrderId.kind == "o" && Gid.kind.nil? && OrderId.generate.instance_of?(OrderId) && OrderId::Paid.new(id.to_s).kind == "o" &&
      OrderId.lower_bound(id.time) == Gid.lower_bound("o", id.time) && OrderId.upper_bound(0) == Gid.upper_bound("o", 0)
shows("kinds as names, symbols and numbers", ["o", "O", :o, 239, "239"].all? { |kind| OrderId.generate(kind).kind == "o" && Gid.valid?(id, kind) })
{
  Gid::Error => [
    -> { OrderId.new(log) }, -> { OrderId::Paid.from_bytes(log.bytes) }, -> { OrderId.generate("c") }, -> { OrderId.new(id, "c") },
    -> { Gid.generate(255) }, -> { Gid.valid?(id, "orders") }
  ],
  ArgumentError => [-> { Gid.generate }],
  TypeError => [-> { Gid.new(nil) }, -> { Gid.new(7) }, -> { Gid.generate(1.5) }, -> { Gid.generate("o", "2001-02-03") }]
}.each { |type, calls| shows("what is a #{type}", calls.all? { |call| error(&call).instance_of?(type) }) }

# In a trap handler, by a clock that stands.
Gid.const_get(:Mint).define_singleton_method(:clock) { 4_000_000_000_000_000 }
trapped = [Gid.generate("o")]
trap(:USR1) { 10.times { trapped << Gid.generate("o") } }
Process.kill(:USR1, Process.pid)
sleep 0.01 while trapped.size < 11
trapped << Gid.generate("o")
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
db.exec(<<~SQL)
  CREATE DOMAIN pg_temp.order_id AS gid(o);
  CREATE DOMAIN pg_temp.nested AS pg_temp.order_id;
SQL
Gid::PG.register(db)
shows "in arrays of a domain over a domain", value["SELECT ARRAY[$1, NULL]::pg_temp.nested[]", minted] == [minted, nil]

# What a program does with ids of uuid, which are strings, works with ids of gid.
{ "uuid" => "gen_random_uuid()", "gid" => "gid_new('o')" }.each do |type, new|
  db.exec("DROP TABLE IF EXISTS probes; CREATE TABLE probes (id #{type} PRIMARY KEY DEFAULT #{new}, item text)")
  a, b = db.exec("INSERT INTO probes (item) VALUES ('a'), ('b') RETURNING id").column_values(0)
  list = type == "gid" ? [a, b] : "{#{a},#{b}}"
  {
    "id = $1" => -> { value["SELECT id FROM probes WHERE id = $1", a] == a },
    "id of text" => -> { value["SELECT id FROM probes WHERE id = $1", a.to_s] == a },
    "= ANY" => -> { value["SELECT count(*) FROM probes WHERE id = ANY ($1)", list] == "2" },
    "unnest" => -> { value["SELECT count(*) FROM unnest($1::#{type}[])", list] == "2" },
    "coalesce" => -> { value["SELECT id FROM probes WHERE id = coalesce($1, id) AND item = 'a'", nil] == a },
    "optional filter" => -> { value["SELECT count(*) FROM probes WHERE $1::#{type} IS NULL OR id < $1", nil] == "2" },
    "prepared" => -> { db.prepare(type, "SELECT id FROM probes WHERE id = $1") && db.exec_prepared(type, [b]).getvalue(0, 0) == b },
    "COPY" => lambda {
      made = value["SELECT #{new}"]
      db.copy_data("COPY probes FROM STDIN") { db.put_copy_data("#{made}\tc\n") }
      value["SELECT count(*) FROM probes"] == "3"
    },
    "on conflict" => lambda {
      value["INSERT INTO probes VALUES ($1, 'd') ON CONFLICT (id) DO UPDATE SET item = 'd' RETURNING id", a] == a
    },
    "garbage" => -> { error { value["SELECT id FROM probes WHERE id = $1", "tea"] }.is_a?(PG::InvalidTextRepresentation) }
  }.each { |what, probe| shows "#{type}: #{what}", probe.call }
end

db.exec("BEGIN; DROP EXTENSION gid CASCADE")
refused = error { Gid::PG.register(db) }
shows "without the extension: #{refused.message}", refused.is_a?(KeyError)
