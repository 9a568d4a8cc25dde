//! TLS handshake of a connection, and its outcome.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

use crate::channel_binding::server_end_point;

/// Makes one connection with TLS, and records the outcome of the handshake.
#[derive(Clone)]
pub(crate) struct Handshake {
    config: Arc<ClientConfig>,
    outcome: Arc<OnceLock<Outcome>>,
}

/// Outcome of a handshake.
#[derive(Debug)]
pub(crate) enum Outcome {
    Done,
    /// The host cannot be the name in a certificate.
    BadName,
    Refused(rustls::Error),
    Broken(io::ErrorKind),
}

impl Handshake {
    pub(crate) fn new(config: Arc<ClientConfig>) -> Self {
        Self { config, outcome: Arc::default() }
    }

    /// Outcome; `None` if the handshake was not begun, since the server has no TLS.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.get()
    }

    fn note(&self, outcome: Outcome) {
        // A connection has one handshake; the first outcome stays.
        self.outcome.get_or_init(|| outcome);
    }
}

impl MakeTlsConnect<Socket> for Handshake {
    type Stream = EncryptedStream;
    type TlsConnect = HandshakeWith;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<HandshakeWith> {
        match ServerName::try_from(host.to_owned()) {
            Ok(name) => Ok(HandshakeWith { handshake: self.clone(), name }),
            Err(_) => {
                self.note(Outcome::BadName);
                Err(io::ErrorKind::InvalidInput.into())
            }
        }
    }
}

/// Handshake with a named host.
pub(crate) struct HandshakeWith {
    handshake: Handshake,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for HandshakeWith {
    type Stream = EncryptedStream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedStream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let connector = TlsConnector::from(self.handshake.config.clone());
            match connector.connect(self.name, socket).await {
                Ok(stream) => {
                    self.handshake.note(Outcome::Done);
                    Ok(EncryptedStream(Box::new(stream)))
                }
                Err(error) => {
                    let refused =
                        error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
                    self.handshake.note(match refused {
                        Some(refused) => Outcome::Refused(refused.clone()),
                        None => Outcome::Broken(error.kind()),
                    });
                    Err(error)
                }
            }
        })
    }
}

/// Encrypted connection.
pub(crate) struct EncryptedStream(Box<tokio_rustls::client::TlsStream<Socket>>);

impl TlsStream for EncryptedStream {
    fn channel_binding(&self) -> ChannelBinding {
        let (_, session) = self.0.get_ref();
        let certificate = session.peer_certificates().and_then(<[_]>::first);
        match certificate.and_then(|certificate| server_end_point(certificate)) {
            Some(digest) => ChannelBinding::tls_server_end_point(digest),
            None => ChannelBinding::none(),
        }
    }
}

impl AsyncRead for EncryptedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for EncryptedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
