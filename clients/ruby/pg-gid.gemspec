# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "pg-gid"
  spec.version = "1.0.0"
  spec.summary = "16-byte identifiers that sort by creation time and know their kind, as PostgreSQL's extension gid has them"
  spec.authors = ["the gid authors"]
  spec.license = "PostgreSQL"
  spec.homepage = "https://gid.example/"
  spec.required_ruby_version = ">= 3.0"
  spec.files = Dir["lib/**/*.rb", "README.md", "LICENSE"]
  spec.metadata = { "source_code_uri" => "https://gid.example/gid.git", "changelog_uri" => "https://gid.example/CHANGELOG.md",
                    "rubygems_mfa_required" => "true" }
end
