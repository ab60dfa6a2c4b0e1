# Creates the tables.
require_relative "shop"

class CreateShop < ActiveRecord::Migration[6.1]
  def up
    enable_extension "gid"
    create_table(:customers, id: "gid(c)", default: -> { "gid_new('c')" }) { |t| t.text :name, null: false }
    create_table :orders, id: "gid(o)", default: -> { "gid_new('o')" } do |t|
      t.column :customer, "gid(c)", null: false
      t.foreign_key :customers, column: :customer
      t.index %i[customer id]
    end
    create_table :cursors, primary_key: %i[consumer shard] do |t|
      t.text :consumer
      t.integer :shard
      t.column :position, "gid", null: false
    end
  end
end

CreateShop.migrate(:up)
