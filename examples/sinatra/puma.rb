require_relative "server"

app Shop
port ENV.fetch("PORT", 8000), "127.0.0.1"
