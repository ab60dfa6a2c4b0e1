# Active Record: migrations, ids by default, associations, arrays, many rows at once, times.
require "active_record"
require "pg_gid/active_record"

def shows(what, holds)
  puts "#{holds ? "ok" : "not ok"} - #{what}"
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

ada = Customer.create!
tea = ada.orders.create!(item: "tea")
milk = ada.orders.create!(item: "milk")
shows "create returns the id", ada.id.is_a?(Gid) && ada.id.kind == "c" && tea.customer_id == ada.id && Order.find(tea.id).item == "tea"
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
made_at = Order.select("id, gid_timestamp(id) AS made_at").find(tea.id).made_at
shows "the time of an id", made_at == tea.id.time
shows "a Ruby range of ids", Order.where(id: Gid.lower_bound("o", hour_ago)...Gid.lower_bound("o", soon)).count == 102

shows "invalid text is the id of no row", Order.find_by(id: "tea").nil?
[
  -> { Order.create!(customer_id: tea.id, item: "an order is no customer") }, -> { tea.update!(customer_id: milk.id.to_s) },
  -> { ada.update!(favourites: [ada.id]) }, -> { Order.where(id: Gid.lower_bound("c", hour_ago)..).count }
].each do |query|
  query.call
  shows "a wrong kind is rejected", false
rescue Gid::Error, Gid::ActiveRecord::UnknownId => e
  shows "a wrong kind is rejected: #{e.message.split(". ").first}", e.message.include?(" does not match type gid(")
end
CreateOrders.migrate(:down)
