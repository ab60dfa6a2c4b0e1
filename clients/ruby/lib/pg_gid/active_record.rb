# frozen_string_literal: true

require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "pg_gid"

class Gid
  # Active Record: ids in columns of gid are Gid, alone and in arrays.  Required before a connection is made.
  module ActiveRecord
    # Text becomes an id.  A text that is not valid stays a text, for the server to refuse, and so does a time.
    class Type < ::ActiveModel::Type::Value
      def type
        :gid
      end

      def serialize(value)
        value.is_a?(Gid) ? value.to_s : value
      end

      def serializable?(_value)
        true
      end

      private

      def cast_value(value)
        value.is_a?(::String) && Gid.valid?(value) ? Gid.new(value) : value
      end
    end

    # Tells the adapter of the type, whose number differs between databases.
    module Adapter
      def initialize_type_map(types = type_map)
        types.register_type "gid", Type.new
        super
      end

      # What stands in SQL of your own, as in where("id = ?", id).
      def quote(value)
        super(value.is_a?(Gid) ? value.to_s : value)
      end

      def type_cast(value, *rest)
        super(value.is_a?(Gid) ? value.to_s : value, *rest)
      end
    end

    ::ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Adapter)
  end
end
