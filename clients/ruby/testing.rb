# frozen_string_literal: true

# What the tests share.

def shows(what, holds) = puts("#{holds ? "ok" : "not ok"} - #{what}")

def error
  yield
  nil
rescue StandardError => e
  e
end
