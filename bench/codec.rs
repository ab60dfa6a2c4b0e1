//! What codec.c measures, by the crate that Graft uses: base 58 of 7 bytes, a
//! dash, base 58 of 9 bytes, into and out of buffers on the stack; and base 58
//! of all 16 bytes.

use std::hint::black_box;
use std::time::Instant;

const IDS: usize = 4096;
const PASSES: usize = 101;

fn measure(name: &str, mut pass: impl FnMut()) {
    let mut ns: Vec<f64> = (0..PASSES)
        .map(|_| {
            let start = Instant::now();
            pass();
            start.elapsed().as_nanos() as f64 / IDS as f64
        })
        .collect();
    ns.sort_by(f64::total_cmp);
    println!("{name}\t{:.1}", ns[PASSES / 2]);
}

fn encode(bytes: &[u8], text: &mut [u8]) -> usize {
    bs58::encode(bytes).onto(text).unwrap()
}

fn decode(text: &[u8], bytes: &mut [u8]) -> usize {
    bs58::decode(text).onto(bytes).unwrap()
}

fn main() {
    let mut noise: u64 = 1;
    let mut ids = vec![[0u8; 16]; IDS];
    for (i, id) in ids.iter_mut().enumerate() {
        noise = noise
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let high = 0xEF00_0000_0000_00EF | (1767225600000u64 + i as u64) << 8;
        id[..8].copy_from_slice(&high.to_be_bytes());
        id[8..].copy_from_slice(&noise.to_be_bytes());
    }
    let mut canonical = vec![[b'-'; 64]; IDS];
    let mut compact = vec![[0u8; 64]; IDS];

    measure("encode", || {
        for (id, text) in ids.iter().zip(canonical.iter_mut()) {
            assert_eq!(encode(&id[..7], &mut text[..]), 10);
            text[10] = b'-';
            assert_eq!(encode(&id[7..], &mut text[11..]), 13);
        }
        black_box(&canonical);
    });
    measure("decode", || {
        for text in &canonical {
            let mut bytes = [0u8; 32];
            assert_eq!(decode(&text[..10], &mut bytes), 7);
            assert_eq!(decode(&text[11..24], &mut bytes[7..]), 9);
            black_box(&bytes);
        }
    });
    measure("encode_compact", || {
        for (id, text) in ids.iter().zip(compact.iter_mut()) {
            assert_eq!(encode(id, text), 22);
        }
        black_box(&compact);
    });
    measure("decode_compact", || {
        for text in &compact {
            let mut bytes = [0u8; 32];
            assert_eq!(decode(&text[..22], &mut bytes), 16);
            black_box(&bytes);
        }
    });
}
