# frozen_string_literal: true

require "securerandom"

class Gid
  # The instants and the random bits of the ids that this process, or a Ractor of it, makes.
  #
  # Without a time they are one number that only grows: the instant, and below it 54 random bits.  If the clock
  # shows a later microsecond, that and new random bits are next.  If it does not, the number is counted up by
  # one; so the random bits run over into the next microsecond, and if the clock is set back, the numbers continue.
  class Mint
    OTHER_PAYLOAD = 0xFF # in byte 7, if the payload is not a muid; no kind has this prefix
    MAX_INSTANT = (1 << 48) * 1000 - 1 # in Unix microseconds
    MAX_RANDOM = (1 << 54) - 1

    # That of this Ractor.  Ractors share no state, so each counts for itself, as a process does.
    def self.current = Ractor.current[:pg_gid_mint] ||= new

    # Unix microseconds.  Tests replace it.
    def self.clock = Process.clock_gettime(Process::CLOCK_REALTIME, :microsecond)

    def initialize
      @lock = Mutex.new
      @last = @in_between = [0, 0].freeze
      @unused = [] # random bits, which are fetched in blocks
      @process = Process.pid
    end

    # The instant and the random bits of the next id.
    def next_number
      @lock.synchronize do
        now = check(Mint.clock)
        instant, bits = last_number
        @last = if now > instant then [now, random]
                elsif bits == MAX_RANDOM then [instant + 1, 0]
                else
                  [instant, bits + 1]
                end
      end
    rescue ThreadError
      # A trap handler can lock nothing, and may have interrupted this very method.  The next microsecond keeps
      # its number apart from the one that is being made.
      @in_between = [[check(Mint.clock), last_number[0]].max + 1, random]
    end

    # Those of an id for a time, in Unix microseconds.
    def number_at(instant)
      after_fork if @process != Process.pid
      [check(instant), random]
    end

    private

    def last_number
      after_fork if @process != Process.pid
      @in_between[0] >= @last[0] && (@in_between <=> @last).positive? ? @in_between : @last
    end

    # A child must not count up from the same as its parent, and not use the same random bits.
    def after_fork
      @process = Process.pid
      @unused = []
      @last = [[@last, @in_between].max[0] + 1, random]
    end

    # Threads and trap handlers that come in between take other bits.
    def random
      high, low = @unused.pop(2)
      unless low
        *others, high, low = SecureRandom.bytes(1024).unpack("N*")
        @unused.concat(others)
      end
      (high & 0x3FFFFF) << 32 | low
    end

    def check(instant)
      return instant if instant.between?(0, MAX_INSTANT)

      raise Error, "timestamp out of range for type gid: #{instant} microseconds. " \
                   "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
    end
  end
  private_constant :Mint
  Mint.current # of the main Ractor, before it has threads
end
