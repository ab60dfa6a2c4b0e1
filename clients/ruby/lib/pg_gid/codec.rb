# frozen_string_literal: true

class Gid
  # The text and the bytes of ids, and the names of kinds.
  module Codec
    DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    PAIRS = DIGITS.each_char.flat_map { |first| DIGITS.each_char.map { |second| -"#{first}#{second}" } }.freeze
    DASHED = DIGITS.each_char.map { |digit| -"-#{digit}" }.freeze
    # The values of bytes, and of two bytes as a number.  One that is no digit makes every number too large.
    VALUES = Array.new(256) { |byte| DIGITS.index(byte.chr) || 1 << 128 }.freeze
    PAIR_VALUES = PAIRS.each_with_index.with_object([VALUES[0]] * (1 << 16)) { |(pair, n), values| values[pair.unpack1("n")] = n }.freeze
    TWO, FOUR, SIX, EIGHT = 58**2, 58**4, 58**6, 58**8 # the numbers of so many digits
    WORD = (1 << 32) - 1
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
              when 24 then from_canonical(text)
              when 22 then from_compact(text)
              end
      return bytes if bytes && bytes.getbyte(0) >= 0x80

      raise Error, "invalid input syntax for type gid: #{text.inspect}. #{reason_against(text, bytes)}"
    end

    # Only numbers below 2**62, because larger ones are slow.
    def from_canonical(text)
      a, b, c, d, e, dash, f, g, h, i, j, k, l = text.unpack("n5C2n6")
      pair = PAIR_VALUES
      time = (((pair[a] * TWO + pair[b]) * TWO + pair[c]) * TWO + pair[d]) * TWO + pair[e]
      high = (((VALUES[f] * TWO + pair[g]) * TWO + pair[h]) * TWO + pair[i]) * TWO + pair[j]
      low = (high & WORD) * FOUR + pair[k] * TWO + pair[l]
      high = (high >> 32) * FOUR + (low >> 32)
      return if dash != DASH || time >= 1 << 56 || high >= 1 << 40

      [time >> 24, (time & 0xFFFFFF) << 8 | high >> 32, high & WORD, low & WORD].pack("N4")
    end

    def from_compact(text)
      number = text.each_byte.reduce(0) { |sum, byte| sum * 58 + VALUES[byte] }
      [number >> 64, number & (1 << 64) - 1].pack("Q>2") if (number >> 128).zero?
    end

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
      time = a << 24 | b >> 8
      upper = (b & 0xFF) << 32 | c
      lower = upper % FOUR << 32 | d
      head = (upper / FOUR << 32) + lower / FOUR
      last = lower % FOUR
      "#{PAIRS[time / EIGHT]}#{PAIRS[time / SIX % TWO]}#{PAIRS[time / FOUR % TWO]}#{PAIRS[time / TWO % TWO]}#{PAIRS[time % TWO]}" \
        "#{DASHED[head / EIGHT]}#{PAIRS[head / SIX % TWO]}#{PAIRS[head / FOUR % TWO]}#{PAIRS[head / TWO % TWO]}#{PAIRS[head % TWO]}" \
        "#{PAIRS[last / TWO]}#{PAIRS[last % TWO]}"
    end

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
