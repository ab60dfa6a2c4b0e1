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
        "node" => id.node, "medallion" => medallion, "muid_offset" => offset,
        "transaction" => offset && first(id, offset), "text" => id.to_s, "compact" => id.compact,
        "uuid" => id.bytes.unpack("H8H4H4H4H12").join("-"),
        "muid" => instant && format("%013X-%011X-%08X", instant, (1 << 40) + medallion, offset),
        "remarks" => remarks(id, now)
      }
    end

    def first(id, offset)
      high, low = id.bytes.unpack("Q>2")
      Gid.from_bytes([high, low - offset].pack("Q>2")).to_s
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

    def fraction(micro)
      micro.zero? ? "" : format(".%06d", micro).sub(/0+\z/, "")
    end

    def timestamp(instant)
      "#{Time.at(instant / 1_000_000).utc.strftime("%Y-%m-%dT%H:%M:%S")}#{fraction(instant % 1_000_000)}+00:00"
    end

    def interval(microseconds)
      sign = microseconds.negative? ? "-" : ""
      seconds, micro = microseconds.abs.divmod(1_000_000)
      days, seconds = seconds.divmod(86_400)
      time = format("%s%02d:%02d:%02d%s", sign, seconds / 3600, seconds / 60 % 60, seconds % 60, fraction(micro))
      [
        ("#{sign}#{days} #{sign.empty? && days == 1 ? "day" : "days"}" if days.positive?),
        (time if days.zero? || seconds.positive? || micro.positive?)
      ].compact.join(" ")
    end
  end
  private_constant :Explanation
end
