//! Pictures in PNG (RFC 2083), with a palette of 256 colours.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// Width and height of a picture in pixels: about one and a half for a unit of the drawing.
pub(super) const SIDE: usize = 640;

/// Data URL of a picture whose pixels are indices of shades, from the top left.
pub(super) fn address(pixels: &[u8], shades: &[[u8; 3]; 256]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(encoded(pixels, shades)))
}

fn encoded(pixels: &[u8], shades: &[[u8; 3]; 256]) -> Vec<u8> {
    let side = (SIDE as u32).to_be_bytes();
    // Eight bits a pixel, which are an index (3); not interlaced.
    let header = [&side[..], &side[..], &[8, 3, 0, 0, 0][..]].concat();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"IHDR", &header);
    chunk(&mut out, b"PLTE", shades.as_flattened());
    chunk(&mut out, b"IDAT", &packed(pixels));
    chunk(&mut out, b"IEND", &[]);
    out
}

/// Compressed lines, each as its difference from the one above (filter 2), which is small on a
/// surface.
fn packed(pixels: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut above = [0; SIDE];
    for line in pixels.chunks_exact(SIDE) {
        let differs = line.iter().zip(above).map(|(here, above)| here.wrapping_sub(above));
        let written: Vec<u8> = std::iter::once(2).chain(differs).collect();
        // Writing to memory cannot fail.
        let _ = packed.write_all(&written);
        above.copy_from_slice(line);
    }
    packed.finish().unwrap_or_default()
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    // A picture of this size is far shorter than 2^32 bytes.
    out.extend((content.len() as u32).to_be_bytes());
    let mut check = Crc::new();
    for part in [&name[..], content] {
        check.update(part);
        out.extend(part);
    }
    out.extend(check.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    #[test]
    fn a_picture_has_the_parts_of_a_png() {
        let png = encoded(&[7; SIDE * SIDE], &[[7; 3]; 256]);
        assert!(
            png.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x80\0\0\x02\x80\x08\x03")
        );
        // The checksum of an empty end is the same in every file.
        assert!(png.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let pixels: Vec<u8> = (0..SIDE * SIDE).map(|at| (at * at % 251) as u8).collect();
        let mut lines = Vec::new();
        ZlibDecoder::new(&packed(&pixels)[..]).read_to_end(&mut lines).unwrap();
        let mut read: Vec<u8> = Vec::new();
        for line in lines.chunks(SIDE + 1) {
            assert_eq!(line[0], 2);
            for differs in &line[1..] {
                let above = read.len().checked_sub(SIDE).map_or(0, |at| read[at]);
                read.push(above.wrapping_add(*differs));
            }
        }
        assert_eq!(read, pixels);
    }
}
