# frozen_string_literal: true

class Gid
  # The text and the bytes of ids, and the names of kinds.
  module Codec
    DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    VALUES = Array.new(256).tap { |values| DIGITS.each_byte.with_index { |digit, value| values[digit] = value } }.freeze
    DASH = "-".ord
    NAMES = { 0x80 => "volume", 0xA0 => "log", 0xC0 => "segment" }
            .merge(("a".."z").each_with_index.to_h { |letter, n| [0xE1 + n, letter] }).freeze
    PREFIXES = (128..254).to_h { |prefix| [prefix.to_s, prefix] }.merge(NAMES.invert).freeze

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

    # Reasons and positions are the server's, which counts bytes.
    def from_text(text)
      length = text.bytesize
      unless [22, 24].include?(length)
        raise invalid(text, "A gid is 24 bytes of text, or 22 in its compact form, not #{length}.")
      end

      dash = length == 24 ? 10 : nil
      values = text.each_byte.with_index.filter_map do |byte, at|
        raise invalid(text, "A gid of 24 characters has one dash, at position 11; one of 22 has none.") if (byte == DASH) != (at == dash)

        VALUES[byte] || at == dash || raise(invalid(text, bad_character(at)))
      end
      numbers = dash ? [[values[0, 10], 56], [values[11, 13], 72]] : [[values, 128]]
      number = numbers.reduce(0) do |sum, (digits, bits)|
        part = digits.reduce(0) { |n, digit| n * 58 + digit }
        raise invalid(text, "Some of its digits encode a number that is too large.") if part >> bits != 0

        sum << bits | part
      end
      raise invalid(text, "The first byte of a gid is 0x80 or above.") if number >> 127 == 0

      [number >> 64, number & (1 << 64) - 1].pack("Q>2")
    end

    def digits(number, count)
      number.digits(58).map { |value| DIGITS[value] }.join.ljust(count, "1").reverse
    end

    def name_of(prefix)
      NAMES.fetch(prefix, prefix.to_s)
    end

    # Only ASCII folds to lower case.
    def prefix_of(kind)
      raise TypeError, "a kind is a name or a number, not #{kind.class}" unless [String, Symbol, Integer].any? { |type| kind.is_a?(type) }

      PREFIXES.fetch(kind.to_s.downcase(:ascii)) do
        raise Error, "unrecognized gid kind: #{kind.to_s.inspect}. " \
                     'A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254.'
      end
    end

    # A time in Unix microseconds.
    def microseconds(time)
      case time
      when Integer then time
      when Time then time.to_i * 1_000_000 + time.usec
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
