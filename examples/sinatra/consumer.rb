# Prints each new order once.
require_relative "shop"

NAME = "printer".freeze
CURSOR = "SELECT position FROM cursors WHERE consumer = $1 AND shard = 0 FOR UPDATE".freeze
READ = "SELECT * FROM orders WHERE id > $1 AND id < gid_settled('o') ORDER BY id LIMIT 100".freeze
MOVE = "UPDATE cursors SET position = $1 WHERE consumer = $2 AND shard = 0".freeze
