// Where drizzle-kit finds the tables, and puts the migrations.
export default { dialect: 'postgresql', schema: './schema.js', out: './drizzle' };
