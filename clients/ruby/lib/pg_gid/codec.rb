# frozen_string_literal: true

class Gid
  # The text and the bytes of ids, and the names of kinds.
  module Codec
    DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    # The values of bytes.  One that is no digit makes every number too large.
    VALUES = Array.new(256) { |byte| DIGITS.index(byte.chr) || 1 << 128 }.freeze
    PAIRS = DIGITS.each_char.flat_map { |first| DIGITS.each_char.map { |second| -"#{first}#{second}" } }.freeze
    GROUP = 58**5 # below 2**30: such a group times 32 bits is no big number
    DASH = "-".ord
    NAMES = (128..255).to_h { |prefix| [prefix, -prefix.to_s] }
                      .merge({ 0x80 => "volume", 0xA0 => "log", 0xC0 => "segment" })
                      .merge(("a".."z").each_with_index.to_h { |letter, n| [0xE1 + n, -letter] }).freeze
    PREFIXES = (128..254).to_h { |prefix| [-prefix.to_s, prefix] }.merge(NAMES.invert).except("255").freeze

    module_function

    def bytes_of(value)
      case value
      when Gid then value.bytes
      when String then from_text(value)
      else raise TypeError, "a gid is made from a String or a Gid, not from #{value.class}"
      end
    end

    # The bytes of an id, of any length and encoding.
    def from_bytes(bytes)
      raise invalid_bytes("A gid is 16 bytes, not #{bytes.bytesize}.") if bytes.bytesize != 16

      first = bytes.getbyte(0)
      raise invalid_bytes(format("The first byte is 0x%02x; in a gid it is 0x80 or above.", first)) if first < 0x80

      bytes.b
    end

    def from_text(text)
      bytes = case text.bytesize
              when 24 then from_canonical(text.unpack("C*"))
              when 22 then from_compact(text.unpack("C*"))
              end
      raise invalid(text, reason_against(text)) if bytes.nil? || bytes.getbyte(0) < 0x80

      bytes
    end

    def from_canonical(text)
      time = group(text, 0) * GROUP + group(text, 5)
      head = three(text, 11) * GROUP + group(text, 14)
      low = (head & 0xFFFFFFFF) * GROUP + group(text, 19)
      high = (head >> 32) * GROUP + (low >> 32)
      return if time >> 56 != 0 || high >> 40 != 0 || text[10] != DASH

      [time >> 24, (time << 8 & 0xFFFFFFFF) | high >> 32, high & 0xFFFFFFFF, low & 0xFFFFFFFF].pack("N4")
    end

    def from_compact(text)
      number = text.reduce(0) { |sum, byte| sum * 58 + VALUES[byte] }
      [number >> 64, number & (1 << 64) - 1].pack("Q>2") if (number >> 128).zero?
    end

    def three(text, at)
      (VALUES[text[at]] * 58 + VALUES[text[at + 1]]) * 58 + VALUES[text[at + 2]]
    end

    def group(text, at)
      (three(text, at) * 58 + VALUES[text[at + 3]]) * 58 + VALUES[text[at + 4]]
    end

    # The server's reason, which counts bytes.
    def reason_against(text)
      length = text.bytesize
      return "A gid is 24 bytes of text, or 22 in its compact form, not #{length}." unless [22, 24].include?(length)

      text.each_byte.with_index do |byte, at|
        dash = length == 24 && at == 10
        return "A gid of 24 characters has one dash, at position 11; one of 22 has none." if (byte == DASH) != dash
        return bad_character(at) if VALUES[byte] > 57 && !dash
      end
      too_large = length == 24 ? from_canonical(text.unpack("C*")).nil? : from_compact(text.unpack("C*")).nil?
      too_large ? "Some of its digits encode a number that is too large." : "The first byte of a gid is 0x80 or above."
    end

    def to_text(bytes)
      a, b, c, d = bytes.unpack("N4")
      head, tail = (a << 24 | b >> 8).divmod(GROUP)
      upper, rest = ((b & 0xFF) << 32 | c).divmod(GROUP)
      lower, last = (rest << 32 | d).divmod(GROUP)
      first, middle = (upper << 32 | lower).divmod(GROUP)
      "#{five(head)}#{five(tail)}-#{DIGITS[first / 3364]}#{PAIRS[first % 3364]}#{five(middle)}#{five(last)}"
    end

    def five(number)
      "#{DIGITS[number / 11_316_496]}#{PAIRS[number / 3364 % 3364]}#{PAIRS[number % 3364]}"
    end

    def to_compact(bytes)
      bytes.unpack("Q>2").then { |high, low| high << 64 | low }
           .digits(58).map { |value| DIGITS[value] }.join.ljust(22, "1").reverse
    end

    def name_of(prefix)
      NAMES[prefix]
    end

    # Only ASCII folds to lower case.
    def prefix_of(kind)
      prefix = PREFIXES[kind]
      return prefix if prefix
      raise TypeError, "a kind is a name or a number, not #{kind.class}" unless [String, Symbol, Integer].any? { |type| kind.is_a?(type) }

      PREFIXES.fetch(kind.to_s.downcase(:ascii)) do
        raise Error, "unrecognized gid kind: #{kind.to_s.inspect}. " \
                     'A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254.'
      end
    end

    # A time in Unix microseconds, which can have a fraction.
    def microseconds(time)
      case time
      when Integer then time
      when Time then time.to_r * 1_000_000
      else raise TypeError, "a time is a Time, or Unix microseconds in an Integer, not #{time.class}"
      end
    end

    def bad_character(at)
      "The character at position #{at + 1} is not a base-58 digit. " \
        'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
    end

    def invalid(text, reason)
      Error.new("invalid input syntax for type gid: #{text.inspect}. #{reason}")
    end

    def invalid_bytes(reason)
      Error.new("invalid binary value for type gid. #{reason}")
    end
  end
  private_constant :Codec
end
