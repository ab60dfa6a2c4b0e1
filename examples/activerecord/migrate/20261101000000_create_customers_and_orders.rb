# What is no type of Active Record's own goes to PostgreSQL as it is written, with its kind.
class CreateCustomersAndOrders < ActiveRecord::Migration[6.1]
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

    # A note is about a record of any kind.
    create_table :notes, id: "gid(n)", default: -> { "gid_new('n')" } do |t|
      t.references :about, polymorphic: true, type: "gid", null: false
    end

    # What not to do: without a type, a reference is a bigint.
    create_table :mistakes, id: "gid(m)", default: -> { "gid_new('m')" } do |t|
      t.references :about, polymorphic: true
    end
  end
end
