package gid

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// The text is one or two numbers in base 58.  Ten digits are the most that fit
// into 64 bits.

const (
	alphabet  = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	tenDigits = 430804206899405824 // 58^10
)

// String returns the canonical text, of 24 characters.
func (id ID) String() string {
	var text [24]byte
	high, low := id.words()
	putDigits(text[:10], high>>8)
	text[10] = '-'
	upper, lower := bits.Div64(high&0xFF, low, tenDigits)
	putDigits(text[11:14], upper)
	putDigits(text[14:], lower)
	return string(text[:])
}

// Compact returns the other text, of 22 characters.
func (id ID) Compact() string {
	var text [22]byte
	high, low := id.words()
	quotient, remainder := high/tenDigits, high%tenDigits
	low, last := bits.Div64(remainder, low, tenDigits)
	first, middle := bits.Div64(quotient, low, tenDigits)
	putDigits(text[:2], first)
	putDigits(text[2:12], middle)
	putDigits(text[12:], last)
	return string(text[:])
}

func (id ID) words() (high, low uint64) {
	return binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
}

func putDigits(text []byte, number uint64) {
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = alphabet[number%58]
		number /= 58
	}
}

// decode sets the id to that of a text.  It returns the server's reason if the text
// is not valid.  Lengths and positions are in bytes.
func (id *ID) decode(text string) string {
	dash := -1
	switch len(text) {
	case 24:
		dash = 10
	case 22:
	default:
		return fmt.Sprintf("A gid is 24 bytes of text, or 22 in its compact form, not %d.", len(text))
	}
	for i := 0; i < len(text); i++ {
		switch {
		case (text[i] == '-') != (i == dash):
			return "A gid of 24 characters has one dash, at position 11; one of 22 has none."
		case i != dash && strings.IndexByte(alphabet, text[i]) < 0:
			return fmt.Sprintf("The character at position %d is not a base-58 digit. "+
				`The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".`, i+1)
		}
	}

	var high, low uint64
	fits := true
	if dash >= 0 {
		head := number(text[:10])
		high, low = timesTenDigits(number(text[11:14]), number(text[14:]))
		fits = head < 1<<56 && high < 1<<8
		high |= head << 8
	} else {
		high, low = timesTenDigits(number(text[:2]), number(text[2:12]))
		overflow, product := bits.Mul64(high, tenDigits)
		high, low = timesTenDigits(low, number(text[12:]))
		var carry uint64
		high, carry = bits.Add64(high, product, 0)
		fits = overflow == 0 && carry == 0
	}
	if !fits {
		return "Some of its digits encode a number that is too large."
	}
	if high>>63 == 0 {
		return "The first byte of a gid is 0x80 or above."
	}
	binary.BigEndian.PutUint64(id[:8], high)
	binary.BigEndian.PutUint64(id[8:], low)
	return ""
}

// number is that of at most ten digits.
func number(digits string) uint64 {
	n := uint64(0)
	for i := 0; i < len(digits); i++ {
		n = n*58 + uint64(strings.IndexByte(alphabet, digits[i]))
	}
	return n
}

// timesTenDigits returns number * 58^10 + more, in two words.
func timesTenDigits(number, more uint64) (high, low uint64) {
	high, low = bits.Mul64(number, tenDigits)
	low, carry := bits.Add64(low, more, 0)
	return high + carry, low
}
