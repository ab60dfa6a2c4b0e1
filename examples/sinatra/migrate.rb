# Creates the tables.
require_relative "shop"
ActiveRecord::Migration.verbose = false
SHOP_MIGRATIONS = ActiveRecord::MigrationContext.new("migrate", *(ActiveRecord::SchemaMigration if ActiveRecord.version < Gem::Version.new("7.2")))
SHOP_MIGRATIONS.migrate
