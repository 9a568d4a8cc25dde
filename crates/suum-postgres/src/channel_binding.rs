//! Channel binding `tls-server-end-point` (RFC 5929): the digest of the server's certificate.
//!
//! With it, SCRAM proves that the peer who knows the password is also the other end of TLS.
//!
//! `tokio-postgres-rustls` 0.14 has such a digest too, but none for ECDSA with SHA-512, and its
//! handshake does not report whether there is TLS, nor why not, which `sslmode` depends on.

use ring::digest::{Algorithm, SHA256, SHA384, SHA512, digest};

// Object identifiers as their bytes in DER.
const RSA_MD5: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04];
const RSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05];
const RSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const RSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c];
const RSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d];
const ECDSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01];
const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const ECDSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03];
const ECDSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04];

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;

/// Digest of a certificate in DER; `None` if its signature has no digest that the RFC defines
/// (Ed25519).
pub(crate) fn server_end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let algorithm = match signature_algorithm(certificate)? {
        // The RFC puts SHA-256 in place of the two weak ones.
        RSA_MD5 | RSA_SHA1 | ECDSA_SHA1 | RSA_SHA256 | ECDSA_SHA256 => &SHA256,
        RSA_SHA384 | ECDSA_SHA384 => &SHA384,
        RSA_SHA512 | ECDSA_SHA512 => &SHA512,
        _ => return None,
    };
    Some(bytes(algorithm, certificate))
}

fn bytes(algorithm: &'static Algorithm, certificate: &[u8]) -> Vec<u8> {
    digest(algorithm, certificate).as_ref().to_vec()
}

/// Second part of a certificate, after the signed part: the identifier of the signature's
/// algorithm.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (parts, _) = element(SEQUENCE, certificate)?;
    let (_, after_signed) = element(SEQUENCE, parts)?;
    let (algorithm, _) = element(SEQUENCE, after_signed)?;
    Some(element(OBJECT_IDENTIFIER, algorithm)?.0)
}

/// Contents of the first DER element, which has this tag, and the bytes after it.
fn element(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    (found == tag).then_some(())?;
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_follows_the_signature() {
        for (algorithm, length) in [
            (&rcgen::PKCS_ECDSA_P256_SHA256, Some(32)),
            (&rcgen::PKCS_ECDSA_P384_SHA384, Some(48)),
            (&rcgen::PKCS_ED25519, None),
        ] {
            let key = rcgen::KeyPair::generate_for(algorithm).unwrap();
            let certificate = rcgen::CertificateParams::new(["db".to_owned()])
                .unwrap()
                .self_signed(&key)
                .unwrap();
            assert_eq!(server_end_point(certificate.der()).map(|digest| digest.len()), length);
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_digest() {
        assert_eq!(server_end_point(&[]), None);
        assert_eq!(server_end_point(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30]), None);
        assert_eq!(server_end_point(&[0x30, 0x04, 0x30, 0x00, 0x30, 0x00]), None);
    }
}
