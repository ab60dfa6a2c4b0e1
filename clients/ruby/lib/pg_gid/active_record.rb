# frozen_string_literal: true

require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "pg_gid"

class Gid
  # Active Record: ids in columns of gid are Gid, alone and in arrays.  Required before a connection is made.
  module ActiveRecord
    # An id that a query looks for, and that cannot be in the column.  Active Record answers a RangeError of a type as if
    # no row had been found.
    class UnknownId < ::RangeError; end

    # Text becomes an id.  A value that is neither text nor an id, such as a time, is left to the server.  The limit is
    # the prefix of the column's kind.
    class Type < ::ActiveModel::Type::Value
      END_OF_TIME = 1 << 63

      def type = :gid

      # Invalid text, an id of another kind than the column's, and numbers raise Gid::Error when they are assigned.
      def assert_valid_value(value)
        raise Gid::Error, "#{value} is not a gid" if value.is_a?(::Integer)

        id_of(value)
      end

      def serialize(value)
        id = id_of(value)
        id.is_a?(Gid) ? id.to_s : id
      rescue Gid::Error => e
        raise UnknownId, e.message
      end

      def serializable?(value)
        serialize(value)
        true
      rescue UnknownId
        false
      end

      # A default in schema.rb.
      def type_cast_for_schema(value) = value.to_s.inspect

      private

      def cast_value(value) = value.is_a?(::String) && Gid.valid?(value) ? Gid.new(value) : value

      def id_of(value)
        id = case value
             when ::String then Gid.new(value)
             when ::Integer then id_of_fixture(value)
             else value
             end
        return id if limit.nil? || !id.is_a?(Gid)

        # The first id above the kind can be the end of a range.
        Gid.lower_bound(limit, END_OF_TIME) == id ? id : Gid.new(id, limit)
      end

      # Active Record makes a number from the label of a fixture without an id.
      def id_of_fixture(number)
        raise Gid::Error, "a fixture in a column without a kind must have an id" if limit.nil?

        Gid.from_bytes([limit, 0, 0, 0xFF, number].pack("CNnCQ>"))
      end
    end

    # A range that begins or ends with an id of another kind is an error, as it is on the server.
    module Ranges
      def call(attribute, range)
        type = attribute.type_caster
        [range.begin, range.end].compact.each { |id| type.assert_valid_value(id) } if type.is_a?(Type)
        super
      end
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

    # In schema.rb a column of gid has its type as in SQL, with its kind.
    module Dumper
      private

      def schema_type(column) = column.type == :gid ? column.sql_type : super

      def schema_limit(column) = column.type == :gid ? nil : super
    end

    # Tables with other types are missing in schema.rb.
    ::ActiveRecord::ConnectionAdapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:gid] = { name: "gid" }
    ::ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Adapter)
    ::ActiveRecord::ConnectionAdapters::PostgreSQL::SchemaDumper.prepend(Dumper)
    ::ActiveRecord::PredicateBuilder::RangeHandler.prepend(Ranges)
  end
end
