//! TLS with the modes of libpq's `sslmode`.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{
    CertificateDer, PrivateKeyDer, ServerName, SignatureVerificationAlgorithm, UnixTime,
};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use suum_core::{Error, Phrase, Place, Result, say};

use crate::environment::Environment;
use crate::options::Options;

/// Protection that a connection over the network must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SslMode {
    /// No TLS.
    Disable,
    /// No TLS, unless the server asks for it.
    Allow,
    /// TLS, but none if the server does not have it.
    Prefer,
    /// TLS; with a server that a root certificate vouches for, if there is one.
    Require,
    /// TLS with a server that a root certificate vouches for.
    VerifyCa,
    /// TLS with such a server whose certificate is for the requested host.
    VerifyFull,
}

impl FromStr for SslMode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "disable" => Self::Disable,
            "allow" => Self::Allow,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => {
                return Err(Error::parameter("sslmode", "its value is not known")
                    .with_fix("use disable, allow, prefer, require, verify-ca or verify-full"));
            }
        })
    }
}

/// Files that TLS may need, before any is read.
#[derive(Debug)]
pub(crate) struct TlsFiles {
    roots: Roots,
    certificate: UserFile,
    key: UserFile,
}

#[derive(Debug)]
enum Roots {
    System,
    File(UserFile),
}

/// File that was named, or the one that libpq would look for.
#[derive(Debug)]
enum UserFile {
    Named(PathBuf),
    Usual(Option<PathBuf>),
}

impl UserFile {
    /// Path of the file; a default one need not exist.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Named(path) => Some(path),
            Self::Usual(path) => path.as_deref().filter(|path| path.exists()),
        }
    }
}

impl TlsFiles {
    pub(crate) fn new(options: &Options, environment: &Environment) -> Self {
        let file = |option: &str, usual: &str| match options.get(option) {
            Some(path) => UserFile::Named(PathBuf::from(path)),
            None => {
                UserFile::Usual(environment.file_of_user(usual, &format!(".postgresql/{usual}")))
            }
        };
        let roots = match options.get("sslrootcert") {
            Some("system") => Roots::System,
            _ => Roots::File(file("sslrootcert", "root.crt")),
        };
        let certificate = file("sslcert", "postgresql.crt");
        Self { roots, certificate, key: file("sslkey", "postgresql.key") }
    }

    /// Returns true if the certificates that the operating system trusts are trusted.
    pub(crate) fn system_roots(&self) -> bool {
        matches!(self.roots, Roots::System)
    }

    /// Certificates that a connection trusts.
    fn trust(&self, mode: SslMode) -> Result<Trust> {
        if matches!(mode, SslMode::Disable | SslMode::Allow | SslMode::Prefer) {
            return Ok(Trust::Anybody);
        }
        let anchors = match &self.roots {
            Roots::System => Anchors { roots: system_roots()?, named: Vec::new() },
            Roots::File(file) => match file.path() {
                Some(path) => anchors_of(path)?,
                None if mode == SslMode::Require => return Ok(Trust::Anybody),
                None => {
                    return Err(Error::request(
                        "sslmode",
                        "there is no root certificate to verify the server with",
                    )
                    .with_fix(
                        "name its file as sslrootcert, put it into ~/.postgresql/root.crt, or \
                            trust what the operating system trusts with sslrootcert=system",
                    ));
                }
            },
        };
        Ok(match mode {
            SslMode::VerifyFull => Trust::ChainAndName(anchors),
            _ => Trust::Chain(anchors),
        })
    }

    /// Certificate of the user, if there is one, with its key.
    fn identity(&self) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>> {
        let Some(path) = self.certificate.path() else { return Ok(None) };
        let chain = certificates(path)?;
        let path = self.key.path().ok_or_else(|| {
            Error::io("sslkey", "there is a certificate of the user but no key")
                .with_fix("name the file of the key as sslkey")
        })?;
        if !is_private(path) {
            return Err(Error::io(
                Place::file(path.display()),
                "others than its owner may read this key",
            )
            .with_fix("run chmod 600 on it"));
        }
        let key = PrivateKeyDer::from_pem_file(path).map_err(|_| {
            Error::io(Place::file(path.display()), "no private key can be read there")
                .with_fix("use a file in PEM format whose key has no passphrase")
        })?;
        Ok(Some((chain, key)))
    }

    /// Configuration for rustls.
    pub(crate) fn config(&self, mode: SslMode) -> Result<ClientConfig> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier {
            trust: self.trust(mode)?,
            algorithms: provider.signature_verification_algorithms,
        };
        let unusable = |_| {
            Error::io("TLS", "the certificate of the user and its key do not fit")
                .with_fix("name a certificate and the key it was made for as sslcert and sslkey")
        };
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|_| Error::internal("TLS: the cryptography has no protocol version"))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        match self.identity()? {
            Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(unusable),
            None => Ok(builder.with_no_client_auth()),
        }
    }
}

fn system_roots() -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    // Some of the many certificates can be too old for rustls; they vouch for nobody.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(Error::io(
            "sslrootcert=system",
            "the operating system has no certificates to trust",
        )
        .with_fix("install them (on Debian: ca-certificates), or name a file as sslrootcert"));
    }
    Ok(roots)
}

fn anchors_of(path: &Path) -> Result<Anchors> {
    let mut roots = RootCertStore::empty();
    let named = certificates(path)?;
    for certificate in &named {
        roots.add(certificate.clone()).map_err(|_| {
            Error::io(Place::file(path.display()), "a certificate there is not usable as a root")
                .with_fix("use certificates of version 3 of X.509")
        })?;
    }
    Ok(Anchors { roots, named })
}

/// Certificates of a file in PEM format; at least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let refuse = |why: Phrase| {
        Error::io(Place::file(path.display()), why)
            .with_fix("name a file with certificates in PEM format")
    };
    fs::metadata(path)
        .map_err(|error| refuse(say(format!("cannot be read ({})", error.kind()))))?;
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
        .map_err(|_| refuse(say("cannot be read as certificates")))?;
    match certificates.is_empty() {
        true => Err(refuse(say("there is no certificate in it"))),
        false => Ok(certificates),
    }
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // A key that root owns may be readable by a group, as in libpq.
    fs::metadata(path).is_ok_and(|key| key.mode() & if key.uid() == 0 { 0o027 } else { 0o077 } == 0)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}

/// Accepted certificates.
#[derive(Debug)]
enum Trust {
    /// All certificates: protection against passive eavesdroppers only.
    Anybody,
    /// Certificates that a root vouches for.
    Chain(Anchors),
    /// Certificates that a root vouches for, and that are for this host.
    ChainAndName(Anchors),
}

/// Trust anchors.
#[derive(Debug)]
struct Anchors {
    roots: RootCertStore,
    /// Certificates of the user's file that are accepted themselves.
    named: Vec<CertificateDer<'static>>,
}

impl Anchors {
    /// Checks that a root vouches for a certificate at this time.
    fn vouch_for(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
    ) -> std::result::Result<(), rustls::Error> {
        let certificate = ParsedCertificate::try_from(end_entity)?;
        let (roots, at) = (&self.roots, now);
        match verify_server_cert_signed_by_trust_anchor(
            &certificate,
            roots,
            intermediates,
            at,
            algorithms,
        ) {
            // A server can show the certificate of an authority, as `openssl req -x509` makes it,
            // which does not vouch for itself; but here the user trusts this very one. Dates have
            // errors of their own, and come first.
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(_)))
                if self.named.iter().any(|named| named == end_entity) =>
            {
                Ok(())
            }
            verdict => verdict,
        }
    }
}

/// Verifier of the server, which in every mode must have the key of the certificate that it shows.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, rustls::Error> {
        match &self.trust {
            Trust::Anybody => {}
            Trust::Chain(anchors) => {
                anchors.vouch_for(end_entity, intermediates, now, self.algorithms.all)?
            }
            Trust::ChainAndName(anchors) => {
                anchors.vouch_for(end_entity, intermediates, now, self.algorithms.all)?;
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
