# frozen_string_literal: true

class Gid
  # Everything that an id contains, as PostgreSQL writes it.
  module Explanation
    module_function

    def of(id)
      now = Mint.clock
      instant, medallion, offset = id.instant, id.medallion, id.offset
      {
        "kind" => id.kind, "prefix" => id.prefix, "time" => timestamp(id.unix_ms * 1000),
        "age" => interval(now - id.unix_ms * 1000), "instant" => instant && timestamp(instant),
        "node" => id.node, "medallion" => medallion, "gid_offset" => offset,
        "transaction" => offset && Gid.from_bytes(id.bytes[0, 12] + [id.bytes.unpack1("@12N") - offset].pack("N")).to_s, "text" => id.to_s, "compact" => id.compact,
        "uuid" => id.bytes.unpack("H8H4H4H4H12").join("-"),
        "muid" => instant && format("%013X-%011X-%08X", instant, (1 << 40) + medallion, offset),
        "remarks" => remarks(id, now)
      }
    end

    def remarks(id, now)
      [
        ("prefix 255 is not a kind" if id.prefix == 255),
        if id.bytes.byteslice(7, 9) == "\0" * 9
          "a bound, not the id of anything"
        elsif id.instant.nil?
          "no instant: not minted by gid_new"
        else
          "node and medallion are random unless gid.node was set"
        end,
        ("the time is in the future" if id.unix_ms * 1000 > now)
      ].compact.join("; ")
    end

    def timestamp(instant) = "#{without_zeros(instant, "%Y-%m-%dT%H:%M:%S.%6N")}+00:00"

    def without_zeros(microseconds, form) = Time.at(0, microseconds, :microsecond).utc.strftime(form).sub(/\.?0+\z/, "")

    def interval(microseconds)
      sign = microseconds.negative? ? "-" : ""
      days, rest = microseconds.abs.divmod(86_400_000_000)
      [
        ("#{sign}#{days} #{sign.empty? && days == 1 ? "day" : "days"}" if days.positive?),
        (sign + without_zeros(rest, "%H:%M:%S.%6N") if days.zero? || rest.positive?)
      ].compact.join(" ")
    end
  end
  private_constant :Explanation
end
