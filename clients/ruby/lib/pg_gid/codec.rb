# frozen_string_literal: true

class Gid
  # The text and the bytes of ids, and the names of kinds.
  module Codec
    DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    # The values of bytes.  One that is no digit makes every number too large.
    VALUES = Array.new(256) { |byte| DIGITS.index(byte.chr) || 1 << 128 }.freeze
    PAIRS = DIGITS.each_char.flat_map { |first| DIGITS.each_char.map { |second| -"#{first}#{second}" } }.freeze
    GROUP = 58**5 # below 2**30: such a group times 32 bits is no big number
    WORD = (1 << 64) - 1
    DASH = "-".ord
    LETTERS = ("a".."z").each_with_index.to_h { |letter, n| [0xE1 + n, -letter] }.freeze
    NAMES = { **(128..255).to_h { |prefix| [prefix, -prefix.to_s] }, 0x80 => "volume", 0xA0 => "log", 0xC0 => "segment", **LETTERS }.freeze
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
      if bytes.bytesize != 16
        reason = "A gid is 16 bytes, not #{bytes.bytesize}."
      elsif (first = bytes.getbyte(0)) < 0x80
        reason = format("The first byte is 0x%02x; in a gid it is 0x80 or above.", first)
      end
      raise Error, "invalid binary value for type gid. #{reason}" if reason

      bytes.b
    end

    def from_text(text)
      bytes = case text.bytesize
              when 24 then from_canonical(text.unpack("C*"))
              when 22 then from_compact(text.unpack("C*"))
              end
      return bytes if bytes && bytes.getbyte(0) >= 0x80

      raise Error, "invalid input syntax for type gid: #{text.inspect}. #{reason_against(text, bytes)}"
    end

    def from_canonical(text)
      time = group(text, 0) * GROUP + group(text, 5)
      rest = (three(text, 11) * GROUP + group(text, 14)) * GROUP + group(text, 19)
      [time << 8 | rest >> 64, rest & WORD].pack("Q>2") if (time >> 56).zero? && (rest >> 72).zero? && text[10] == DASH
    end

    def from_compact(text)
      number = text.reduce(0) { |sum, byte| sum * 58 + VALUES[byte] }
      [number >> 64, number & WORD].pack("Q>2") if (number >> 128).zero?
    end

    def three(text, at) = (VALUES[text[at]] * 58 + VALUES[text[at + 1]]) * 58 + VALUES[text[at + 2]]

    def group(text, at) = (three(text, at) * 58 + VALUES[text[at + 3]]) * 58 + VALUES[text[at + 4]]

    # The server's reason, which counts bytes.
    def reason_against(text, decoded)
      length = text.bytesize
      return "A gid is 24 bytes of text, or 22 in its compact form, not #{length}." unless [22, 24].include?(length)

      text.each_byte.with_index do |byte, at|
        dash = length == 24 && at == 10
        return "A gid of 24 characters has one dash, at position 11; one of 22 has none." if (byte == DASH) != dash
        next if VALUES[byte] < 58 || dash

        return "The character at position #{at + 1} is not a base-58 digit. " \
               'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".'
      end
      decoded ? "The first byte of a gid is 0x80 or above." : "Some of its digits encode a number that is too large."
    end

    def to_text(bytes)
      a, b, c, d = bytes.unpack("N4")
      head, tail = (a << 24 | b >> 8).divmod(GROUP)
      upper, rest = ((b & 0xFF) << 32 | c).divmod(GROUP)
      lower, last = (rest << 32 | d).divmod(GROUP)
      first, middle = (upper << 32 | lower).divmod(GROUP)
      "#{five(head)}#{five(tail)}-#{DIGITS[first / 3364]}#{PAIRS[first % 3364]}#{five(middle)}#{five(last)}"
    end

    def five(number) = "#{DIGITS[number / 11_316_496]}#{PAIRS[number / 3364 % 3364]}#{PAIRS[number % 3364]}"

    def to_compact(bytes)
      bytes.unpack("Q>2").then { |high, low| high << 64 | low }
           .digits(58).map { |value| DIGITS[value] }.join.ljust(22, "1").reverse
    end

    def name_of(prefix) = NAMES[prefix]

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
  end
  private_constant :Codec
end
