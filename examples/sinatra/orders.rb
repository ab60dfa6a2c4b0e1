# Active Record: migrations, ids by default, associations, arrays, many rows at once, times; what
# schema.rb and structure.sql make of kinds.
require "active_record"
require "stringio"
require "tmpdir"
require "pg_gid/active_record"

def shows(what, holds)
  puts "#{holds ? "ok" : "not ok"} - #{what}"
end

# The error of the database that a block raises, if any.
def error
  ActiveRecord::Base.transaction(requires_new: true) { yield }
  nil
rescue ActiveRecord::StatementInvalid => e
  e.cause
end

class Customer < ActiveRecord::Base
  has_many :orders
end

class Order < ActiveRecord::Base
  belongs_to :customer
end

class Note < ActiveRecord::Base
  belongs_to :about, polymorphic: true
end

class CreateOrders < ActiveRecord::Migration[6.1]
  def change
    enable_extension "gid"
    create_table :customers, id: "gid(c)", default: -> { "gid_new('c')" } do |t|
      t.column :favourites, "gid(o)[]"
    end
    create_table :orders, id: "gid(o)", default: -> { "gid_new('o')" } do |t|
      t.references :customer, type: "gid(c)", null: false, foreign_key: true
      t.text :item, null: false
    end
    create_table :notes, id: "gid(n)", default: -> { "gid_new('n')" } do |t|
      t.references :about, polymorphic: true, type: "gid", null: false
    end
  end
end

ActiveRecord::Base.establish_connection(adapter: "postgresql", database: ENV.fetch("PGDATABASE"))
ActiveRecord::Migration.verbose = false
CreateOrders.migrate(:up)

# What not to do: schema.rb.  In Rails, config.active_record.schema_format = :sql has structure.sql instead.
dump = StringIO.new
base = ActiveRecord::Base
ActiveRecord::SchemaDumper.dump(ActiveRecord.version < Gem::Version.new("7.2") ? base.connection : base.connection_pool, dump)
shows "schema.rb does not contain tables with the type",
  dump.string.include?('# Could not dump table "orders"') && !dump.string.include?('create_table "orders"')
Dir.mktmpdir do |folder|
  ActiveRecord::Tasks::DatabaseTasks.structure_dump({ adapter: "postgresql", database: ENV.fetch("PGDATABASE") }, "#{folder}/structure.sql")
  structure = File.read("#{folder}/structure.sql")
  shows "structure.sql has the kinds and the defaults",
    structure.include?("customer_id gid(c) NOT NULL") && structure.include?("id gid(o) DEFAULT gid_new('o'::text) NOT NULL")
end

ada = Customer.create!
tea = ada.orders.create!(item: "tea")
milk = ada.orders.create!(item: "milk")
shows "create returns the id", ada.id.is_a?(Gid) && ada.id.kind == "c" && tea.customer_id == ada.id && Order.find(tea.id).item == "tea"
shows "first and last are by time", Order.first == tea && Order.last == milk
many = Order.insert_all((1..100).map { |n| { customer_id: ada.id, item: "item #{n}" } }).rows.flatten.map { |text| Gid.new(text) }
shows "insert_all returns the ids as text, in order", many == many.sort && Order.find(many[49]).item == "item 50"
shows "find_each, in order of time", Order.find_each(batch_size: 10, start: many[50]).map(&:id) == many[50..]
shows "lists of ids, and text", Order.where(id: [tea.id, milk.id]).count == 2 && Order.find([milk.id, tea.id.to_s]).map(&:id) == [milk.id, tea.id]
tea.customer_id = ada.id.to_s
shows "assigning the same id does not change the record", !tea.changed? && tea.as_json["id"] == tea.id.to_s && tea.to_param == tea.id.to_s
ada.update!(favourites: [milk.id, tea.id])
shows "an array of ids", ada.reload.favourites == [milk.id, tea.id] && ada.favourites.first.is_a?(Gid) && Customer.find_by("? = ANY (favourites)", tea.id) == ada
shows "a polymorphic reference of type gid", Note.create!(about: tea).reload.about == tea

hour_ago, soon = Time.now - 3600, Time.now + 60
recent = Order.where("id >= ?::timestamptz AND id < ?::timestamptz", hour_ago, soon)
shows "a range of time", recent.count == 102
ActiveRecord::Base.connection.execute("ANALYZE; SET enable_seqscan = off")
shows "is a range of the index", recent.explain.inspect.include?("Index Cond: ((id >= ")
made_at = Order.select("id, gid_timestamp(id) AS made_at").find(tea.id).made_at
shows "the time of an id", made_at == tea.id.time && made_at.between?(hour_ago, soon)
shows "a Ruby range of ids", Order.where(id: Gid.lower_bound("o", hour_ago)...Gid.lower_bound("o", soon)).count == 102

{
  "a time without the cast" => -> { Order.where("id >= ?", hour_ago).count }, "a Ruby range of times" => -> { Order.where(id: hour_ago..).count },
  "find of invalid text" => -> { Order.find("tea") }
}.each do |what, query|
  shows "#{what} is rejected by the server", error(&query).is_a?(PG::InvalidTextRepresentation)
end
shows "another kind in SQL is rejected by the server",
  error { Order.where("customer_id = (?::gid)::gid(c)", tea.id).count }.is_a?(PG::InvalidParameterValue)
[
  -> { Order.create!(customer_id: tea.id, item: "an order is no customer") }, -> { tea.update!(customer_id: milk.id.to_s) },
  -> { ada.update!(favourites: [ada.id]) }, -> { Order.find(ada.id) }, -> { Order.where(id: [tea.id, ada.id]).to_a },
  -> { Order.where(id: Gid.lower_bound("c", hour_ago)..).count }
].each do |query|
  query.call
  shows "a wrong kind is rejected", false
rescue Gid::Error => e
  shows "a wrong kind is rejected: #{e.message.split(". ").first}", e.message.include?(" does not match type gid(")
end

# What not to do: references without a type.
refused = error { ActiveRecord::Base.connection.create_table(:mine) { |t| t.references :order, foreign_key: true } }
shows "a reference without a type is rejected by a foreign key", refused.is_a?(PG::DatatypeMismatch)
CreateOrders.migrate(:down)
