# frozen_string_literal: true

require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "pg_gid"

class Gid
  # Active Record: ids in columns of gid are Gid, alone and in arrays.  Required before a connection is made.
  module ActiveRecord
    # Text becomes an id.  A text that is not valid stays a text, for the server to refuse, and so does a time.
    # An id of another kind than the column's raises Gid::Error before a query is sent.  The limit is the prefix.
    class Type < ::ActiveModel::Type::Value
      END_OF_TIME = 1 << 63

      def type = :gid

      def serialize(value)
        id = value.is_a?(::String) ? cast_value(value) : value
        return value unless id.is_a?(Gid)

        # The first id above the kind can be the end of a range.
        any = limit.nil? || Gid.lower_bound(limit, END_OF_TIME) == id
        (any ? id : Gid.parse(id, limit)).to_s
      end

      private

      def cast_value(value) = value.is_a?(::String) && Gid.valid?(value) ? Gid.new(value) : value
    end

    # Tells the adapter of the type, whose number differs between databases.
    module Adapter
      def initialize_type_map(types = type_map)
        types.register_type("gid") { |_, modifier| Type.new(limit: (modifier if modifier&.positive?)) }
        super
      end

      # What stands in SQL of your own, as in where("id = ?", id).
      def quote(value) = super(value.is_a?(Gid) ? value.to_s : value)

      def type_cast(value, *rest) = super(value.is_a?(Gid) ? value.to_s : value, *rest)
    end

    ::ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Adapter)
  end
end
