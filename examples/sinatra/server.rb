require "json"
require "sinatra/base"
require "time"
require_relative "shop"

class Shop < Sinatra::Base
  set :show_exceptions, false
  set :raise_errors, false
  before { content_type :json }
  after { ActiveRecord::Base.connection_handler.clear_active_connections! }

  # Gid.new raises Gid::Error, an ArgumentError, for malformed ids and ids of another kind.
  # Integer and Time.iso8601 raise an ArgumentError, too.
  error ArgumentError, TypeError, KeyError, JSON::ParserError, ActiveRecord::InvalidForeignKey do |e|
    halt 422, { detail: e.message }.to_json
  end

  post "/orders" do
    body = Hash(JSON.parse(request.body.read))
    order = Order.create!(customer: Gid.new(body.fetch("customer"), "c"))
    [201, order.to_json]
  end

  get "/orders/:id" do
    order = Order.find_by(id: Gid.new(params["id"], "o"))
    order ? order.to_json : halt(404, { detail: "there is no such order" }.to_json)
  end

  get "/orders" do
    limit = Integer(params.fetch("limit", 50))
    raise ArgumentError, "limit is from 1 to 100" unless limit.between?(1, 100)

    orders = Order.order(:id).limit(limit)
    orders = orders.where("id >= ?::timestamptz", Time.iso8601(params["since"])) if params["since"]
    orders = orders.where("id > ?", Gid.new(params["after"], "o")) if params["after"]
    { orders: orders, next: (orders.last.id if orders.size == limit) }.to_json
  end
end
