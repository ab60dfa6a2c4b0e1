# Prints each new order once, below the horizon of the server.
require_relative "shop"

$stdout.sync = true
is_stopping = false
%w[INT TERM].each { |signal| trap(signal) { is_stopping = true } }
db = ActiveRecord::Base.connection
db.execute("INSERT INTO cursors VALUES ('printer', -1, gid_lower_bound('o', '-infinity')) ON CONFLICT DO NOTHING")

until is_stopping
  handled = db.transaction do
    position = db.select_value("SELECT position FROM cursors WHERE consumer = 'printer' AND shard = -1 FOR UPDATE")
    orders = Order.where("id > ? AND id < gid_settled('o')", position).order(:id).limit(100).to_a
    orders.each { |order| puts "#{order.id} #{order.customer}" }
    move = "UPDATE cursors SET position = #{db.quote(orders.last&.id || position)} WHERE consumer = 'printer' AND shard = -1"
    db.execute(move) if orders.any?
    orders.size
  end
  sleep 1 if handled.zero?
end
