//! The two texts of an id, as numbers in base 58.

const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// 10 digits for the first 7 bytes, a dash, and 13 for the other 9.
pub(crate) fn canonical(number: u128) -> String {
    let mut text = [b'-'; 24];
    put(&mut text[..10], number >> 72);
    put(&mut text[11..], number & ((1 << 72) - 1));
    ascii(&text)
}

pub(crate) fn compact(number: u128) -> String {
    let mut text = [0; 22];
    put(&mut text, number);
    ascii(&text)
}

fn put(text: &mut [u8], mut number: u128) {
    for place in text.iter_mut().rev() {
        *place = DIGITS[(number % 58) as usize];
        number /= 58;
    }
}

fn ascii(text: &[u8]) -> String {
    text.iter().map(|&c| char::from(c)).collect()
}

/// The number, or the server's reason.  Lengths and positions are in bytes.
pub(crate) fn decode(text: &[u8]) -> Result<u128, String> {
    let dash = match text.len() {
        24 => Some(10),
        22 => None,
        n => return Err(format!("A gid is 24 bytes of text, or 22 in its compact form, not {n}.")),
    };
    for (i, c) in text.iter().enumerate() {
        if (*c == b'-') != (Some(i) == dash) {
            return Err("A gid of 24 characters has one dash, at position 11; one of 22 has none.".into());
        }
        if Some(i) != dash && !DIGITS.contains(c) {
            return Err(format!(
                "The character at position {} is not a base-58 digit. The digits are \"1\" to \"9\", \"A\" to \"Z\" and \
                 \"a\" to \"z\", without \"I\", \"O\" and \"l\".",
                i + 1
            ));
        }
    }
    let number = match dash {
        None => value(text),
        Some(dash) => match (value(&text[..dash]), value(&text[dash + 1..])) {
            (Some(head), Some(tail)) if head >> 56 == 0 && tail >> 72 == 0 => Some(head << 72 | tail),
            _ => None,
        },
    };
    match number {
        None => Err("Some of its digits encode a number that is too large.".into()),
        Some(number) if number >> 127 == 0 => Err("The first byte of a gid is 0x80 or above.".into()),
        Some(number) => Ok(number),
    }
}

fn value(digits: &[u8]) -> Option<u128> {
    digits.iter().try_fold(0_u128, |number, c| {
        let digit = DIGITS.iter().position(|d| d == c)?;
        number.checked_mul(58)?.checked_add(digit as u128)
    })
}
