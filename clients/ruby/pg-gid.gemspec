# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "pg-gid"
  spec.version = "1.0.1"
  spec.summary = "16-byte identifiers that sort by creation time and know their kind, as PostgreSQL's extension gid has them"
  spec.authors = ["the gid authors"]
  spec.license = "PostgreSQL"
  spec.required_ruby_version = ">= 3.0"
  spec.files = Dir["lib/**/*.rb", "README.md", "LICENSE"]
  spec.metadata = { "rubygems_mfa_required" => "true" }
end
