# frozen_string_literal: true

require "pg"
require "pg_gid"

class Gid
  # ruby-pg: ids are Gid in results and as parameters, alone and in arrays.
  module PG
    class Decoder < ::PG::SimpleDecoder
      def decode(value, _tuple = nil, _field = nil) = format.zero? ? Gid.new(value) : Gid.from_bytes(value)
    end

    class Encoder < ::PG::SimpleEncoder
      def encode(id) = id.to_s
    end

    # The type gid and the domains over it.  An array of a domain has its own OID.
    TYPES = <<~SQL
      WITH RECURSIVE types AS (
        SELECT oid, typarray FROM pg_catalog.pg_type
        WHERE oid OPERATOR(pg_catalog.=) pg_catalog.to_regtype('pg_catalog.gid')
        UNION ALL
        SELECT d.oid, d.typarray FROM pg_catalog.pg_type d JOIN types ON d.typbasetype OPERATOR(pg_catalog.=) types.oid
        WHERE d.typtype OPERATOR(pg_catalog.=) 'd')
      SELECT oid, typarray FROM types
    SQL

    # Ids of this connection are Gid.
    # It asks the server once for the OIDs of the types.  What other types become stays as it is.
    def self.register(connection)
      rows = connection.exec(TYPES).values.map { |row| row.map(&:to_i) }
      raise KeyError, "type gid does not exist: CREATE EXTENSION gid" if rows.empty?

      results = ::PG::TypeMapByOid.new
      rows.each do |oid, array_oid|
        decoder = Decoder.new(oid: oid, name: "gid")
        results.add_coder(decoder)
        results.add_coder(Decoder.new(oid: oid, name: "gid", format: 1))
        results.add_coder(::PG::TextDecoder::Array.new(oid: array_oid, name: "gid[]", elements_type: decoder))
      end
      results.default_type_map = connection.type_map_for_results
      connection.type_map_for_results = results

      oid, array_oid = rows.first
      encoder = Encoder.new(oid: oid, name: "gid")
      array = ::PG::TextEncoder::Array.new(oid: array_oid, name: "gid[]", elements_type: encoder)
      queries = ::PG::TypeMapByClass.new
      queries[Gid] = encoder
      queries[Array] = ->(values) { array if values.flatten.compact.first.is_a?(Gid) }
      queries.default_type_map = connection.type_map_for_queries
      connection.type_map_for_queries = queries
      connection
    end
  end
end
