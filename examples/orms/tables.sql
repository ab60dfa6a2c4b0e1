-- The tables of schema.prisma, written by hand: Prisma's own would be of text.
CREATE EXTENSION IF NOT EXISTS gid;

CREATE TABLE customers (
	id   gid(c) PRIMARY KEY DEFAULT gid_new('c'),
	name text NOT NULL
);

CREATE TABLE orders (
	id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
	customer gid(c) NOT NULL REFERENCES customers,
	item     text NOT NULL,
	related  gid(o) REFERENCES orders
);
