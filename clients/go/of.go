package gid

//lint:ignore U1000 Of embeds it, so that no other package can set it.
type id = ID

// Of is an ID of one kind.  The zero value is NULL; ids of other kinds cannot be put in.
//
//	type Order struct{}
//
//	func (Order) GidKind() string { return "o" }
//
//	type OrderID = gid.Of[Order]
type Of[K interface{ GidKind() string }] struct{ id }

// As returns an id as one of its kind: As[Order](Parse(text)), As[Order](New("o")).
func As[K interface{ GidKind() string }](id ID, err error) (of Of[K], _ error) {
	err = of.set(id, err)
	return of, err
}

func (of *Of[K]) set(id ID, err error) error {
	if err == nil && !id.IsZero() {
		var kind K
		err = id.check(kind.GidKind())
	}
	if err == nil {
		of.id = id
	}
	return err
}

// ID returns the id as one of any kind.
func (of Of[K]) ID() ID { return of.id }

// UnmarshalText is As after Parse.
func (of *Of[K]) UnmarshalText(text []byte) error { return of.set(Parse(string(text))) }

// Scan is that of ID, and rejects other kinds.
func (of *Of[K]) Scan(value interface{}) error {
	var id ID
	err := id.Scan(value)
	return of.set(id, err)
}
