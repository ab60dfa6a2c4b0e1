package gid

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The text is one or two numbers in base 58.  Ten digits are the most that fit
// into 64 bits.

const (
	alphabet  = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	tenDigits = 58 * 58 * 58 * 58 * 58 * 58 * 58 * 58 * 58 * 58
)

// All numbers of two digits, and the value of each character: 0xFF if it is not a digit.
var pairs, values = tables()

func tables() (pairs [58 * 58][2]byte, values [256]byte) {
	for i := range pairs {
		pairs[i] = [2]byte{alphabet[i/58], alphabet[i%58]}
	}
	for i := range values {
		values[i] = 0xFF
	}
	for i := range alphabet {
		values[alphabet[i]] = byte(i)
	}
	return
}

// String returns the canonical text, of 24 characters.
func (id ID) String() string {
	var text [24]byte
	high, low := id.words()
	upper, lower := bits.Div64(high&0xFF, low, tenDigits)
	putTen(text[:10], high>>8)
	text[10] = '-'
	text[11] = alphabet[upper/(58*58)]
	copy(text[12:14], pairs[upper%(58*58)][:])
	putTen(text[14:], lower)
	return string(text[:])
}

// Compact returns the other text, of 22 characters.
func (id ID) Compact() string {
	var text [22]byte
	high, low := id.words()
	low, last := bits.Div64(high%tenDigits, low, tenDigits)
	first, middle := bits.Div64(high/tenDigits, low, tenDigits)
	copy(text[:2], pairs[first][:])
	putTen(text[2:12], middle)
	putTen(text[12:], last)
	return string(text[:])
}

func (id ID) words() (high, low uint64) {
	return binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
}

func putTen(text []byte, number uint64) {
	for i := 8; i >= 0; i -= 2 {
		copy(text[i:i+2], pairs[number%(58*58)][:])
		number /= 58 * 58
	}
}

// decode sets the id to that of a text.  It returns the server's reason if the text
// is not valid.  Lengths and positions are in bytes.
func (id *ID) decode(text string) string {
	var bad byte
	var high, low uint64
	var fits bool
	switch len(text) {
	case 24:
		head := number(text[:10], &bad)
		high, low = timesTenDigits(number(text[11:14], &bad), number(text[14:], &bad))
		fits = head < 1<<56 && high < 1<<8
		high |= head << 8
	case 22:
		high, low = timesTenDigits(number(text[:2], &bad), number(text[2:12], &bad))
		overflow, product := bits.Mul64(high, tenDigits)
		high, low = timesTenDigits(low, number(text[12:], &bad))
		var carry uint64
		high, carry = bits.Add64(high, product, 0)
		fits = overflow == 0 && carry == 0
	default:
		return fmt.Sprintf("A gid is 24 bytes of text, or 22 in its compact form, not %d", len(text))
	}
	if bad >= 0x80 || len(text) == 24 && text[10] != '-' {
		return wrongCharacter(text)
	}
	if !fits {
		return "Some of its digits encode a number that is too large"
	}
	if high>>63 == 0 {
		return "The first byte of a gid is 0x80 or above"
	}
	binary.BigEndian.PutUint64(id[:8], high)
	binary.BigEndian.PutUint64(id[8:], low)
	return ""
}

// wrongCharacter returns the reason for the first wrong character.
func wrongCharacter(text string) string {
	i := 0
	for dash := len(text) == 24; text[i] == '-' == (dash && i == 10); i++ {
		if text[i] != '-' && values[text[i]] == 0xFF {
			return fmt.Sprintf("The character at position %d is not a base-58 digit. "+
				`The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l"`, i+1)
		}
	}
	return "A gid of 24 characters has one dash, at position 11; one of 22 has none"
}

// number returns the number of at most ten digits.  Other characters set the highest
// bit of bad.
func number(digits string, bad *byte) (n uint64) {
	all := *bad
	for i := 0; i < len(digits); i++ {
		value := values[digits[i]]
		all |= value
		n = n*58 + uint64(value)
	}
	*bad = all
	return n
}

// timesTenDigits returns number * 58^10 + more, in two words.
func timesTenDigits(number, more uint64) (high, low uint64) {
	high, low = bits.Mul64(number, tenDigits)
	low, carry := bits.Add64(low, more, 0)
	return high + carry, low
}
