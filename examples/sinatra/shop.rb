# The tables.  The ids of a column are of its kind.
require "active_record"
require "pg_gid/active_record"

# libpq's variables say where the server is.
ActiveRecord::Base.establish_connection(adapter: "postgresql")

class Customer < ActiveRecord::Base
end

class Order < ActiveRecord::Base
  def as_json(*)
    { id: id, customer: customer, created_at: id.time.iso8601(3) }
  end
end
