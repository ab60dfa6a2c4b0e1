# Creates the tables.
require_relative "shop"

# Active Record 6.1 requires the second argument.
is_old = ActiveRecord.version < Gem::Version.new("7.1")
ActiveRecord::MigrationContext.new("migrate", *(ActiveRecord::SchemaMigration if is_old)).migrate
