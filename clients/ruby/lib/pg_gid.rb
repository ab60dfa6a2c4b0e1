# frozen_string_literal: true

require_relative "pg_gid/codec"
require_relative "pg_gid/mint"
require_relative "pg_gid/explain"

# An identifier of PostgreSQL's extension gid: 16 bytes that sort by creation time, contain their kind, and print
# as 24 characters.  Frozen.  Ids are equal, sorted and hashed by their bytes, as on the server.
#
# A class can have a kind.  It accepts ids of that kind only, and its methods need no kind:
#
#   class OrderId < Gid
#     kind "o"
#   end
#   OrderId.generate
#
# A kind is a name ("volume", "log", "segment", "a" to "z", in upper or lower case) or a number from 128 to 254.
# A time is a Time, or Unix microseconds.
class Gid
  include Comparable

  # A value that is not valid, with the server's reason.
  class Error < ArgumentError; end

  class << self
    # The kind of a class: sets it, or returns it.
    def kind(name = nil)
      @own_prefix = Codec.prefix_of(name) unless name.nil?
      own_prefix && Codec.name_of(own_prefix)
    end

    # The id of 16 bytes.  Raises Gid::Error.
    def from_bytes(bytes) = allocate.tap { |id| id.marshal_load(bytes) }

    # Whether new accepts a value.  Raises Gid::Error for a kind that there is not.
    def valid?(value, kind = nil)
      expected = prefix(kind) unless kind.nil?
      begin
        new(value, expected)
        true
      rescue Error, TypeError
        false
      end
    end

    # A new id: microseconds, and 54 random bits.
    #
    # Without a time, each id is larger than the ids of its kind that this process minted before without a time.
    # With a time, only random bits distinguish the ids of one microsecond.
    # The server's gid_settled() does not cover these ids: if programs poll with it, let the server mint.
    def generate(kind = nil, at = nil)
      prefix = prefix(kind)
      mint = Mint.current
      instant, bits = at.nil? ? mint.next_number : mint.number_at(Codec.microseconds(at).floor)
      ms, micro = instant.divmod(1000)
      made_of([prefix << 24 | ms >> 24, (ms << 8 & 0xFFFFFFFF) | Mint::OTHER_PAYLOAD, micro << 22 | bits >> 32, bits & 0xFFFFFFFF].pack("N4"))
    end

    # The smallest id of a kind whose time, in whole milliseconds, is at or after a time.
    # Past the last millisecond it is the first id above the kind.
    def lower_bound(kind = nil, time) = bound(kind, Rational(Codec.microseconds(time), 1000).ceil)

    # The smallest id of a kind whose time, in whole milliseconds, is after a time.
    def upper_bound(kind = nil, time) = bound(kind, Rational(Codec.microseconds(time), 1000).floor + 1)

    protected

    attr_reader :own_prefix

    private

    def inherited(subclass)
      super
      subclass.instance_variable_set(:@own_prefix, own_prefix)
    end

    def bound(kind, ms)
      ms = (prefix(kind) << 48) + ms.clamp(0, 1 << 48)
      made_of([ms >> 24, ms << 8 & 0xFFFFFFFF, 0, 0].pack("N4"))
    end

    def made_of(bytes) = allocate.tap { |id| id.send(:bytes=, bytes) }

    # The prefix of a kind that was asked for, or of the class.
    def prefix(kind)
      return @own_prefix || raise(ArgumentError, "#{name} has no kind of its own: pass one") if kind.nil?

      prefix = Codec.prefix_of(kind)
      return prefix if @own_prefix.nil? || @own_prefix == prefix

      raise Error, "#{name} is of kind #{self.kind.inspect}, not #{Codec.name_of(prefix).inspect}"
    end
  end

  # An id from its text, of 24 or 22 characters, or from another id.  Raises Gid::Error, also for an id of another kind.
  def initialize(value, kind = nil)
    self.bytes = Codec.bytes_of(value)
    check_class
    check(self.class.send(:prefix, kind)) unless kind.nil?
  end

  # The 16 bytes, a String of Encoding::BINARY.
  attr_reader :bytes

  # The canonical text, of 24 characters.
  def to_s = Codec.to_text(bytes)

  # The other text, of 22 characters.
  def compact = Codec.to_compact(bytes)

  # The first byte: the kind as a number.
  def prefix = bytes.getbyte(0)

  # The kind's name, or its number as text if it has no name.
  def kind = Codec.name_of(prefix)

  # The creation time in milliseconds since 1970.
  def unix_ms = words[0] >> 8 & (1 << 48) - 1

  # The creation time, in UTC and whole milliseconds.
  def time = Time.at(unix_ms / 1000, unix_ms % 1000, :millisecond).utc

  # The creation time in Unix microseconds; nil unless the server's gid_new minted the id.
  def instant
    micro = words[1] >> 54
    unix_ms * 1000 + micro if bytes.getbyte(7) == prefix && prefix != Mint::OTHER_PAYLOAD && micro <= 999
  end

  # The number of the generator, 0 to 2**24 - 1; nil where instant is nil.
  def medallion = part(30, 0xFFFFFF)

  # The upper 10 bits of the medallion: the number of the server, if that has gid.node set; nil where instant is nil.
  def node = part(44, 0x3FF)

  # The number of the id within its transaction, 0 to 2**30 - 1; nil where instant is nil.
  def offset = part(0, 0x3FFFFFFF)

  # Everything that the id contains: what row_to_json(gid_explain(id)) returns on the server, in UTC.
  def explain = Explanation.of(self)

  # The order of the bytes; nil for what is not an id.
  def <=>(other) = (bytes <=> other.bytes if other.is_a?(Gid))

  def ==(other) = other.is_a?(Gid) && bytes == other.bytes
  alias eql? ==

  def hash = bytes.hash

  def inspect = "#<#{self.class.name} #{self}>"

  # In JSON, an id is its text.
  def as_json(*) = to_s

  def marshal_dump = bytes

  # Raises Gid::Error for what is not the bytes of an id of the class.
  def marshal_load(bytes)
    self.bytes = Codec.from_bytes(bytes)
    check_class
  end

  # A copy is frozen, too.
  def initialize_copy(_) = freeze

  private

  def bytes=(bytes)
    @bytes = bytes.freeze
    freeze
  end

  def check_class = self.class.send(:own_prefix)&.then { |prefix| check(prefix) }

  def words = bytes.unpack("Q>2")

  def part(shift, mask) = (words[1] >> shift & mask if instant)

  def check(prefix)
    return self if self.prefix == prefix

    raise Error, "gid of kind #{kind.inspect} does not match type gid(#{Codec.name_of(prefix)}). The value " \
                 "#{to_s.inspect} is an id of kind #{kind.inspect}. " \
                 "Check the value, or the kind that the program expects."
  end
end
