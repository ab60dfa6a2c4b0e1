# frozen_string_literal: true

require "securerandom"

class Gid
  # The numbers of the ids that this process makes without a time.
  #
  # They are one number that only grows: the instant, and below it 54 random bits.  If the clock shows a later
  # microsecond, that and new random bits are next.  If it does not, the number is counted up by one; so the
  # random bits run over into the next microsecond, and if the clock is set back, the numbers continue.
  module Mint
    OTHER_PAYLOAD = 0xFF # in byte 7, if the payload is not a muid; no kind has this prefix
    MAX_INSTANT = (1 << 48) * 1000 - 1 # in Unix microseconds
    LOCK = Mutex.new
    @last = @in_between = 0
    @process = Process.pid

    class << self
      # The next number.
      def next_number
        LOCK.synchronize do
          now, last = check(clock), [after_fork, @in_between].max
          @last = now > last >> 54 ? now << 54 | random : last + 1
        end
      rescue ThreadError
        # A trap handler can lock nothing, and may have interrupted this very method.  The next microsecond keeps
        # its number apart from the one that is being made.
        @in_between = [check(clock), after_fork >> 54, @in_between >> 54].max + 1 << 54 | random
      end

      # A number for a time, in Unix microseconds.
      def number_at(instant)
        check(instant) << 54 | random
      end

      private

      # Unix microseconds.  Tests replace it.
      def clock
        Process.clock_gettime(Process::CLOCK_REALTIME, :microsecond)
      end

      # The last number.  A child must not count up from the same as its parent.
      def after_fork
        if @process != Process.pid
          @last = ([@last, @in_between].max >> 54) + 1 << 54 | random
          @process = Process.pid
        end
        @last
      end

      def random
        SecureRandom.bytes(8).unpack1("Q>") >> 10
      end

      def check(instant)
        return instant if instant.between?(0, MAX_INSTANT)

        raise Error, "timestamp out of range for type gid: #{instant} microseconds. " \
                     "A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC."
      end
    end
  end
  private_constant :Mint
end
