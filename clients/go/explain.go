package gid

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"gid/internal/source"
)

// Explanation is everything that an id contains, as PostgreSQL writes it: what
// row_to_json(gid_explain(id)) returns on the server, in UTC.
type Explanation struct {
	Kind        string  `json:"kind"`
	Prefix      int     `json:"prefix"`
	Time        string  `json:"time"`
	Age         string  `json:"age"`
	Instant     *string `json:"instant"`
	Node        *int    `json:"node"`
	Medallion   *int    `json:"medallion"`
	Offset      *int    `json:"gid_offset"`
	Transaction *string `json:"transaction"`
	Text        string  `json:"text"`
	Compact     string  `json:"compact"`
	UUID        string  `json:"uuid"`
	MUID        *string `json:"muid"`
	Remarks     string  `json:"remarks"`
}

// Explain returns everything that the id contains.
func (id ID) Explain() Explanation {
	now := source.Now().UnixMicro()
	e := Explanation{
		Kind: id.Kind(), Prefix: int(id[0]), Text: id.String(), Compact: id.Compact(),
		Time: timestamp(id.milli() * 1000), Age: interval(now - id.milli()*1000),
		UUID: fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]),
	}
	var remarks []string
	if id[0] == 255 {
		remarks = append(remarks, "prefix 255 is not a kind")
	}
	instant, ok := id.Instant()
	if ok {
		medallion, _ := id.Medallion()
		node, _ := id.Node()
		offset, _ := id.Offset()
		text := timestamp(instant)
		muid := fmt.Sprintf("%013X-%011X-%08X", instant, 1<<40+medallion, offset)
		first := id
		first[12], first[13], first[14], first[15] = id[12]&0xC0, 0, 0, 0
		transaction := first.String()
		e.Instant, e.Node, e.Medallion, e.Offset = &text, &node, &medallion, &offset
		e.Transaction, e.MUID = &transaction, &muid
	}
	switch {
	case bytes.Count(id[7:], []byte{0}) == 9:
		remarks = append(remarks, "a bound, not the id of anything")
	case ok:
		remarks = append(remarks, "node and medallion are random unless gid.node was set")
	default:
		remarks = append(remarks, "no instant: not minted by gid_new")
	}
	if id.milli()*1000 > now {
		remarks = append(remarks, "the time is in the future")
	}
	e.Remarks = strings.Join(remarks, "; ")
	return e
}

func timestamp(instant int64) string {
	return time.UnixMicro(instant).UTC().Format("2006-01-02T15:04:05.999999-07:00")
}

func interval(microseconds int64) string {
	sign, unit := "", "days"
	if microseconds < 0 {
		sign, microseconds = "-", -microseconds
	}
	days, rest := microseconds/86_400_000_000, microseconds%86_400_000_000
	if days == 1 && sign == "" {
		unit = "day"
	}
	clock := sign + time.UnixMicro(rest).UTC().Format("15:04:05.999999")
	if days == 0 {
		return clock
	}
	return strings.TrimSuffix(fmt.Sprintf("%s%d %s %s", sign, days, unit, clock), " "+sign+"00:00:00")
}
