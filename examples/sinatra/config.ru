require_relative "server"
run Server
