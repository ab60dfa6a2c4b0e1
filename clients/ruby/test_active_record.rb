# frozen_string_literal: true

# Active Record: what an unknown id finds, fixtures, and errors, also those of ruby-pg.  The examples of errors are those
# of doc/clients.md.

require "active_record"
require "active_record/fixtures"
require "stringio"
require "tmpdir"
require "pg_gid/active_record"
require_relative "testing"

Customer = Class.new(ActiveRecord::Base) { self.table_name = "customers" }
Other = Class.new(ActiveRecord::Base) { self.table_name = "others" }
Line = Class.new(ActiveRecord::Base) { belongs_to :customer }
Order = Class.new(ActiveRecord::Base) { belongs_to :customer, foreign_key: :customer }

DOC = File.expand_path("../../doc", __dir__)
ActiveRecord::Base.establish_connection(adapter: "postgresql", database: ENV.fetch("PGDATABASE"))
db = ActiveRecord::Base.connection
db.execute(<<~SQL)
  SET client_min_messages = warning;
  DROP SCHEMA public CASCADE;
  CREATE SCHEMA public;
  CREATE EXTENSION IF NOT EXISTS gid;
  CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text);
  CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), customer gid(c));
  CREATE TABLE lines (id gid(l) PRIMARY KEY DEFAULT gid_new('l'), customer_id gid(c));
  CREATE TABLE others (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
SQL
db.reconnect! # the type was created after the connection

ada = Customer.create!
order = Order.create!(customer: ada)
Other.create!
{ Order => ["nope", ada.id, Gid.generate("o")], Other => %w[nope 019bec00-0000-7000-8000-000000000000] }.each do |model, ids|
  ids.each do |id|
    shows "#{model}.find(#{id}) finds no record", error { model.find(id) }.is_a?(ActiveRecord::RecordNotFound)
    shows "nor does find_by, exists?, where", model.find_by(id: id).nil? && !model.exists?(id) && model.where(id: id).empty?
    shows "also with an id that exists", model.where(id: [id, model.first.id]).to_a == [model.first]
    shows "and find", error { model.find([id, model.first.id]) }.is_a?(ActiveRecord::RecordNotFound)
  end
end
shows "a range of another kind is an error", error { Order.where(id: ada.id..).to_a }.is_a?(Gid::Error)
["nope", order.id, 7].each do |wrong|
  shows "#{wrong} is not assigned", error { Order.new(customer: nil)[:customer] = wrong }.is_a?(Gid::Error)
end

# schema.rb restores the tables, with kinds, defaults, arrays and domains.
def schema
  from = ActiveRecord::Base.respond_to?(:with_connection) ? ActiveRecord::Base.connection_pool : ActiveRecord::Base.connection
  StringIO.new.tap { |stream| ActiveRecord::SchemaDumper.dump(from, stream) }.string
end

def columns = ActiveRecord::Base.connection.select_rows(<<~SQL)
  SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = ANY (ARRAY['customers', 'orders', 'lines', 'others']::regclass[]) AND attnum > 0 ORDER BY 1, 2
SQL

db.execute("ALTER TABLE lines ADD about gid, ADD wanted gid(o)[] NOT NULL DEFAULT '{}', ADD given gid(o) DEFAULT '#{order.id}'")
before, dumped = columns, schema
ActiveRecord::Base.connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
ActiveRecord::Schema.verbose = false
eval(dumped) # rubocop:disable Security/Eval
shows "schema.rb has the type of each id", dumped.include?('t.column "customer_id", "gid(c)"') && dumped.include?('id: "gid(c)", default: -> { "gid_new(')
shows "schema.rb restores the tables", columns == before && schema == dumped

# Fixtures are created in tables without foreign keys, because only a superuser can turn off foreign keys.
Dir.mktmpdir do |folder|
  File.write("#{folder}/customers.yml", "ada: {name: Ada}\nbob: {name: Bob}\n")
  File.write("#{folder}/lines.yml", "tea: {customer: bob}\n")
  sets = Array.new(2) do
    ActiveRecord::FixtureSet.reset_cache
    ActiveRecord::FixtureSet.create_fixtures(folder, %w[customers lines])
  end
  bob, same = sets.map { |customers, _| customers["bob"].find }
  shows "a fixture gets an id from its label, the same each time", bob == same && bob.name == "Bob" && bob.id.kind == "c" && Customer.count == 2
  shows "as a reference, too", Line.first.customer == bob && Line.first.id.kind == "l"
end

# The rows of a table, without the first and the last bar.
def rows(page, header)
  text = File.read("#{DOC}/#{page}.md")
  text[text.index(header)..].split("\n\n").first.lines.drop(2).map { |row| row.strip[1..-2].split("|").map(&:strip) }
end

rows("clients", "| case | SQLSTATE | condition | examples |").each do |_, state, condition, examples|
  examples.scan(/`(.*?)`/).flatten.each do |example|
    raised = error { db.execute(example) }.cause
    found = [raised.result.error_field(PG::Result::PG_DIAG_SQLSTATE), raised.class.name]
    shows "#{example}: #{found}", found == [state, "PG::#{condition.delete("`").camelize}"]
  end
end
