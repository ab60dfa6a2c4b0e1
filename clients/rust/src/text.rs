//! The two texts of an id, as numbers in base 58.  Five digits fit into 30 bits, so that
//! all arithmetic is in words.

const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const FIVE_DIGITS: u64 = 656_356_768; // 58^5
const TEN_DIGITS: u128 = (FIVE_DIGITS * FIVE_DIGITS) as u128;
const TWO_DIGITS: usize = 58 * 58;
const WORD: u64 = 0xFFFF_FFFF;

/// All numbers of two digits, and the value of each character: 0xFF if it is not a digit.
static TABLES: ([[u8; 2]; TWO_DIGITS], [u8; 256]) = {
    let (mut pairs, mut values, mut i) = ([[0; 2]; TWO_DIGITS], [0xFF; 256], 0);
    while i < TWO_DIGITS {
        pairs[i] = [DIGITS[i / 58], DIGITS[i % 58]];
        values[DIGITS[i % 58] as usize] = (i % 58) as u8;
        i += 1;
    }
    (pairs, values)
};

/// 10 digits for the first 7 bytes, a dash, and 13 for the other 9.
pub(crate) fn canonical(high: u64, low: u64) -> [u8; 24] {
    let mut text = [b'-'; 24];
    let upper = (high & 0xFF) << 32 | low >> 32;
    let lower = (upper % FIVE_DIGITS) << 32 | low & WORD;
    let head = ((upper / FIVE_DIGITS) << 32) + lower / FIVE_DIGITS;
    put(&mut text[9..14], head / FIVE_DIGITS); // three digits after two zeros, which the others overwrite
    put(&mut text[14..19], head % FIVE_DIGITS);
    put(&mut text[19..], lower % FIVE_DIGITS);
    put(&mut text[..5], (high >> 8) / FIVE_DIGITS);
    put(&mut text[5..10], (high >> 8) % FIVE_DIGITS);
    text[10] = b'-';
    text
}

pub(crate) fn compact(mut number: u128) -> String {
    let mut text = [0; 25]; // 22 digits after three zeros
    for place in [20, 15, 10, 5, 0] {
        put(&mut text[place..place + 5], (number % u128::from(FIVE_DIGITS)) as u64);
        number /= u128::from(FIVE_DIGITS);
    }
    text[3..].iter().map(|&c| char::from(c)).collect()
}

fn put(text: &mut [u8], number: u64) {
    let number = number as usize;
    text[0] = DIGITS[number / (TWO_DIGITS * TWO_DIGITS)];
    text[1..3].copy_from_slice(&TABLES.0[number / TWO_DIGITS % TWO_DIGITS]);
    text[3..5].copy_from_slice(&TABLES.0[number % TWO_DIGITS]);
}

/// All 16 bytes, or the server's reason.  Lengths and positions are in bytes.
pub(crate) fn decode(text: &[u8]) -> Result<u128, String> {
    let mut bad = 0;
    // Ten digits at most, so that it is arithmetic in words.
    let mut number = |from: usize, to: usize| {
        let number = text[from..to].iter().fold(0, |number, &c| {
            let value = TABLES.1[usize::from(c)];
            bad |= value;
            number * 58 + u64::from(value)
        });
        u128::from(number)
    };
    let found = match text.len() {
        24 => {
            let (time, rest) = (number(0, 10), number(11, 14) * TEN_DIGITS + number(14, 24));
            bad |= if text[10] == b'-' { 0 } else { 0xFF };
            (time >> 56 == 0 && rest >> 72 == 0).then_some(time << 72 | rest)
        }
        22 => {
            let upper = number(0, 2) * TEN_DIGITS + number(2, 12);
            let last = number(12, 22);
            upper.checked_mul(TEN_DIGITS).and_then(|number| number.checked_add(last))
        }
        length => return Err(format!("A gid is 24 bytes of text, or 22 in its compact form, not {length}.")),
    };
    match found {
        _ if bad >= 0x80 => Err(wrong_character(text)),
        None => Err("Some of its digits encode a number that is too large.".into()),
        Some(number) if number >> 127 == 0 => Err("The first byte of a gid is 0x80 or above.".into()),
        Some(number) => Ok(number),
    }
}

/// The reason for the first wrong character.
fn wrong_character(text: &[u8]) -> String {
    let is_dash = |i| text.len() == 24 && i == 10;
    let wrong = |&(i, &c): &(usize, &u8)| (c == b'-') != is_dash(i) || c != b'-' && TABLES.1[usize::from(c)] > 57;
    match text.iter().enumerate().find(wrong) {
        Some((i, &c)) if c != b'-' && !is_dash(i) => format!(
            "The character at position {} is not a base-58 digit. The digits are \"1\" to \"9\", \"A\" to \"Z\" and \
             \"a\" to \"z\", without \"I\", \"O\" and \"l\".",
            i + 1
        ),
        _ => "A gid of 24 characters has one dash, at position 11; one of 22 has none.".into(),
    }
}
