# gid from Active Record: migrations, ids by default, associations, many rows
# at once and times; what schema.rb makes of ids and kinds, and structure.sql.

require "active_record"
require "stringio"
require "tmpdir"

IS_OLD = ActiveRecord.version < Gem::Version.new("7.2")

def shows(what, holds)
  puts "#{holds ? "ok" : "not ok"} - #{what}"
end

# The error of the database that a block ends in, if any.
def error
  ActiveRecord::Base.transaction(requires_new: true) { yield }
  nil
rescue ActiveRecord::StatementInvalid => e
  e
end

def connect(database)
  ActiveRecord::Base.establish_connection(adapter: "postgresql", database: database)
  ActiveRecord::Base.connection
end

# Type and default of a column, as PostgreSQL has them.
def column(name)
  table, name = name.split(".")
  ActiveRecord::Base.connection.select_rows(<<~SQL).first
    SELECT format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)
    FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
    WHERE attrelid = '#{table}'::regclass AND attname = '#{name}'
  SQL
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

class Mistake < ActiveRecord::Base
  belongs_to :about, polymorphic: true
end

# Migrations.

class CreateShop < ActiveRecord::Migration[6.1]
  def change
    enable_extension "gid"
    create_table :customers, id: "gid(c)", default: -> { "gid_new('c')" } do |t|
      t.text :name, null: false
      t.column :favourites, "gid(o)[]"
    end
    create_table :orders, id: "gid(o)", default: -> { "gid_new('o')" } do |t|
      t.references :customer, type: "gid(c)", null: false, foreign_key: true
      t.text :item, null: false
    end
    create_table :notes, id: "gid(n)", default: -> { "gid_new('n')" } do |t|
      t.references :about, polymorphic: true, type: "gid", null: false
    end
    # What not to do: without a type, a reference is a bigint.
    create_table :mistakes, id: "gid(m)", default: -> { "gid_new('m')" } do |t|
      t.references :about, polymorphic: true
    end
  end
end

shop = ENV.fetch("PGDATABASE")
db = connect(shop)
ActiveRecord::Migration.verbose = false
CreateShop.migrate(:up)
shows "a primary key has its kind and its default", column("orders.id") == ["gid(o)", "gid_new('o'::text)"]

# What not to do: schema.rb.  It does not know the type ...

def schema_rb
  dump = StringIO.new
  base = ActiveRecord::Base
  ActiveRecord::SchemaDumper.dump(IS_OLD ? base.connection : base.connection_pool, dump)
  dump.string
end

shows "schema.rb leaves out the tables, but for a comment",
  schema_rb.include?('# Could not dump table "orders"') && !schema_rb.include?('create_table "orders"')

# Once it knows the type, it still says so of each table.
require "pg_gid/active_record"
db = connect(shop)
shows "schema.rb does not contain tables with the type", schema_rb.include?('# Could not dump table "orders"') && !schema_rb.include?('create_table "orders"')

# What to do: structure.sql.  In Rails it is config.active_record.schema_format = :sql,
# and these tasks are db:schema:dump and db:schema:load.

tasks = ActiveRecord::Tasks::DatabaseTasks
configuration = ->(database) { { adapter: "postgresql", database: database } }
Dir.mktmpdir do |folder|
  tasks.structure_dump(configuration[shop], "#{folder}/structure.sql")
  shows "structure.sql has the kinds", File.read("#{folder}/structure.sql").include?("customer_id gid(c) NOT NULL")
  connect(shop).create_database("of_structure_sql")
  tasks.structure_load(configuration["of_structure_sql"], "#{folder}/structure.sql")
  connect("of_structure_sql")
  shows "a database that is created from structure.sql has the kinds",
    column("orders.id") == ["gid(o)", "gid_new('o'::text)"] && column("orders.customer_id").first == "gid(c)"
end

# Ids that the server makes.

connect(shop)
[Customer, Order, Note, Mistake].each(&:reset_column_information)
ada = Customer.create!(name: "Ada")
tea = ada.orders.create!(item: "tea")
milk = ada.orders.create!(item: "milk")
shows "create returns the id", ada.id.is_a?(Gid) && ada.id.kind == "c" && Order.find(tea.id).item == "tea"
shows "a new record has the key of the record that it belongs to", tea.customer_id == ada.id && tea.customer == ada
shows "first and last are by time", Order.first == tea && Order.last == milk
many = Order.insert_all((1..100).map { |n| { customer_id: ada.id, item: "item #{n}" } }).rows.flatten.map { |text| Gid.new(text) }
shows "insert_all returns the ids as text, in order", many == many.sort && Order.find(many[49]).item == "item 50"
shows "find_each, in batches in order of time",
  Order.find_each(batch_size: 10).map(&:id) == [tea.id, milk.id, *many] &&
    Order.find_each(batch_size: 10, start: many[50]).map(&:id) == many[50..]
shows "lists of ids", Order.where(id: [tea.id, milk.id]).count == 2 && Order.find([milk.id, tea.id.to_s]).map(&:id) == [milk.id, tea.id]
shows "text for an id", Order.find(tea.id.to_s) == tea && Order.find_by(customer_id: ada.id.to_s, item: "milk") == milk
tea.customer_id = ada.id.to_s
shows "assigning the same id does not change the record", !tea.changed? && tea.as_json["id"] == tea.id.to_s && tea.to_param == tea.id.to_s
ada.update!(favourites: [milk.id, tea.id])
shows "an array of ids", ada.reload.favourites == [milk.id, tea.id] && ada.favourites.first.is_a?(Gid) && Customer.find_by("? = ANY (favourites)", tea.id) == ada

# Times.

hour_ago, soon = Time.now - 3600, Time.now + 60
recent = Order.where("id >= ?::timestamptz AND id < ?::timestamptz", hour_ago, soon)
shows "a range of time", recent.count == 102
ActiveRecord::Base.connection.execute("ANALYZE; SET enable_seqscan = off")
shows "is a range of the index", recent.explain.inspect.include?("Index Cond: ((id >= ")
made_at = Order.select("id, gid_timestamp(id) AS made_at").find(tea.id).made_at
shows "the time of an id", made_at == tea.id.time && made_at.between?(hour_ago, soon)
refused = error { Order.where("id >= ?", hour_ago).count }
shows "a time without the cast is rejected: #{refused.cause.message.lines.first.strip}", refused.cause.is_a?(PG::InvalidTextRepresentation)
refused = error { Order.where(id: hour_ago..).count }
shows "a Ruby range of times is rejected", refused.cause.is_a?(PG::InvalidTextRepresentation)
shows "a Ruby range of ids works", Order.where(id: Gid.lower_bound("o", hour_ago)...Gid.lower_bound("o", soon)).count == 102

# What is wrong is said.

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
tea.reload && ada.reload
refused = error { Order.where("customer_id = (?::gid)::gid(c)", tea.id).count }
shows "the server rejects it in SQL: #{refused.cause.message.lines.first.strip}", refused.cause.is_a?(PG::InvalidParameterValue)
refused = error { Order.find("tea") }
shows "find of invalid text is an error, but not RecordNotFound: #{refused.cause.message.lines.first.strip}",
  refused.cause.is_a?(PG::InvalidTextRepresentation)

# What not to do: references without a type.

note = Note.create!(about: tea).reload
shows "a polymorphic reference of type gid", note.about == tea && column("notes.about_id").first == "gid"
refused = error { Mistake.connection.create_table(:mine) { |t| t.references :order, foreign_key: true } }
shows "a reference without a type is rejected by a foreign key", refused.cause.is_a?(PG::DatatypeMismatch)
mistake = Mistake.create!(about: tea).reload
shows "without a type and a foreign key it is a bigint, where #{tea.id} becomes #{mistake.about_id.inspect}",
  column("mistakes.about_id").first == "bigint" && mistake.about_id != tea.id
