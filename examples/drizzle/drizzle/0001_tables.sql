CREATE TABLE "customers" (
	"id" gid(c) PRIMARY KEY DEFAULT gid_new('c') NOT NULL,
	"name" text NOT NULL,
	"favourites" gid(o)[]
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" gid(o) PRIMARY KEY DEFAULT gid_new('o') NOT NULL,
	"customer" gid(c) NOT NULL,
	"item" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_customers_id_fk" FOREIGN KEY ("customer") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;