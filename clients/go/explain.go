package gid

import (
	"bytes"
	"encoding/hex"
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
	MUIDOffset  *int    `json:"muid_offset"`
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
	digits := hex.EncodeToString(id[:])
	e := Explanation{
		Kind: id.Kind(), Prefix: int(id[0]), Text: id.String(), Compact: id.Compact(),
		Time: timestamp(id.milli() * 1000), Age: interval(now - id.milli()*1000),
		UUID: strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-"),
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
		e.Instant, e.Node, e.Medallion, e.MUIDOffset = &text, &node, &medallion, &offset
		e.Transaction, e.MUID = &transaction, &muid
	}
	if bytes.Count(id[7:], []byte{0}) == 9 {
		remarks = append(remarks, "a bound, not the id of anything")
	} else if !ok {
		remarks = append(remarks, "no instant: not minted by gid_new")
	} else {
		remarks = append(remarks, "node and medallion are random unless gid.node was set")
	}
	if id.milli()*1000 > now {
		remarks = append(remarks, "the time is in the future")
	}
	e.Remarks = strings.Join(remarks, "; ")
	return e
}

func fraction(microseconds int64) string {
	if microseconds == 0 {
		return ""
	}
	return strings.TrimRight(fmt.Sprintf(".%06d", microseconds), "0")
}

func timestamp(instant int64) string {
	return time.UnixMicro(instant).UTC().Format("2006-01-02T15:04:05") + fraction(instant%1000000) + "+00:00"
}

func interval(microseconds int64) string {
	sign := ""
	if microseconds < 0 {
		sign, microseconds = "-", -microseconds
	}
	seconds, micro := microseconds/1000000, microseconds%1000000
	days, seconds := seconds/86400, seconds%86400
	var parts []string
	if days > 0 {
		unit := "days"
		if sign == "" && days == 1 {
			unit = "day"
		}
		parts = append(parts, fmt.Sprintf("%s%d %s", sign, days, unit))
	}
	if seconds > 0 || micro > 0 || days == 0 {
		parts = append(parts, fmt.Sprintf("%s%02d:%02d:%02d%s", sign, seconds/3600, seconds/60%60, seconds%60, fraction(micro)))
	}
	return strings.Join(parts, " ")
}
