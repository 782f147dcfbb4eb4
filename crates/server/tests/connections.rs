//! Connections as they come: over TLS, too slow, too many, and at the end.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reticent_server::http::{Limits, Server, Tls, router};
use reticent_server::store::{Memory, Settings};
use reticent_server::{Log, Service, SharedClock};
use support::bandit;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const ASK: &[u8] = b"GET /v1/experiments/page HTTP/1.1\r\nhost: localhost\r\n\r\n";

async fn served(
    limits: Limits,
    tls: Option<Tls>,
) -> (SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
    let store = Arc::new(Memory::new().unwrap());
    let service = Service::start(store, SharedClock::default(), Log::silent()).await.unwrap();
    service.create(bandit("page"), Settings::default(), "test").await.unwrap();
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits.clone()).await.unwrap().over(tls);
    let address = server.address().unwrap();
    let (stop, stopped) = oneshot::channel();
    let running = tokio::spawn(async move {
        let ended = async {
            let _ = stopped.await;
            service.end_streams();
        };
        server.run(router(Arc::clone(&service), limits), ended).await;
        service.stop().await;
    });
    (address, stop, running)
}

async fn first_line(mut stream: impl tokio::io::AsyncRead + Unpin) -> String {
    let mut bytes = vec![0; 4096];
    let length = stream.read(&mut bytes).await.unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).lines().next().unwrap_or_default().to_string()
}

#[tokio::test]
async fn tls_is_spoken_with_the_servers_certificate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/tls");
    let tls = Tls::read(&folder.join("certificate.pem"), &folder.join("key.pem")).unwrap();
    assert!(Tls::read(&folder.join("key.pem"), &folder.join("key.pem")).is_err());
    let (address, _stop, _) = served(Limits::default(), Some(tls)).await;
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("certificate.pem")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.write_all(ASK).await.unwrap();
    assert_eq!(first_line(stream).await, "HTTP/1.1 200 OK");
    // Plain text is no hello.
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(ASK).await.unwrap();
    assert!(!first_line(plain).await.starts_with("HTTP"));
}

#[tokio::test]
async fn who_is_slow_is_given_up_and_others_are_served() {
    let limits = Limits { request_seconds: 1, connections_of_one: 3, ..Limits::default() };
    let (address, _stop, _) = served(limits, None).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HT").await.unwrap();
        slow.push(stream);
    }
    // One visitor has three connections and no more.
    let mut more = TcpStream::connect(address).await.unwrap();
    let _ = more.write_all(ASK).await;
    assert_eq!(first_line(&mut more).await, "");
    for stream in &mut slow {
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "a slow connection is ended");
    }
    for attempt in 0.. {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _ = stream.write_all(ASK).await;
        if first_line(stream).await == "HTTP/1.1 200 OK" {
            break;
        }
        assert!(attempt < 100);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Answers that nobody reads pile up to what the system holds, and then the connection ends.
#[tokio::test]
async fn who_does_not_read_is_given_up() {
    let (address, _stop, _) = served(Limits { request_seconds: 1, ..Limits::default() }, None).await;
    let (mut reader, mut writer) = TcpStream::connect(address).await.unwrap().into_split();
    let many = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_000);
    let sent = tokio::time::timeout(Duration::from_secs(2), writer.write_all(&many)).await;
    drop(sent);
    let (began, mut read) = (tokio::time::Instant::now(), 0);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mut bytes = vec![0; 1 << 20];
    while let Ok(length @ 1..) = reader.read(&mut bytes).await {
        read += length;
    }
    assert!(began.elapsed() < Duration::from_secs(10), "it is ended by the server");
    assert!(read < 30_000_000, "not all of it was sent: {read}");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_a_problem() {
    let (address, _stop, _) = served(Limits { request_seconds: 1, ..Limits::default() }, None).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /v1/experiments/page/reports HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(first_line(stream).await, "HTTP/1.1 401 Unauthorized", "a key comes before a body");
}

#[tokio::test]
async fn it_ends_with_listeners_open() {
    let (address, stop, running) = served(Limits::default(), None).await;
    let mut listener = TcpStream::connect(address).await.unwrap();
    listener.write_all(b"GET /v1/experiments/page/events HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert_eq!(first_line(&mut listener).await, "HTTP/1.1 200 OK");
    let idle = TcpStream::connect(address).await.unwrap();
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(1), running).await.expect("within a second").unwrap();
    drop(idle);
    assert!(TcpStream::connect(address).await.is_err());
}
