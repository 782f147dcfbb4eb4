//! Connections: accepted within limits, given up when they are slow, finished when the service stops.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::access::Visitor;
use super::limits::{Limits, connections, network};
use super::patient::Patient;
use super::tls::Tls;

/// Requests that were begun have so long to be answered when the service stops: a slow client holds nobody up.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    limits: Limits,
    tls: Option<Tls>,
}

/// Why nobody can be served.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen at {address}: {source}; choose another address, or stop who listens there")]
pub struct ServeError {
    address: SocketAddr,
    source: std::io::Error,
}

impl Server {
    /// Listens at an address.
    pub async fn bind(address: SocketAddr, mut limits: Limits) -> Result<Server, ServeError> {
        let fail = |source| ServeError { address, source };
        limits.connections = connections(limits.connections);
        Ok(Server { listener: TcpListener::bind(address).await.map_err(fail)?, limits, tls: None })
    }

    /// The same over TLS.
    #[must_use]
    pub fn over(self, tls: Option<Tls>) -> Server {
        Server { tls, ..self }
    }

    /// How many connections may be open.
    pub fn connections(&self) -> usize {
        self.limits.connections
    }

    /// Where it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// Serves until `stop` comes to its end; what was begun is answered.
    pub async fn run(self, router: Router, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let open = Arc::new(Open::default());
        let (over, is_over) = watch::channel(false);
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, peer)) = accepted else {
                // Out of handles: those that are open end, and then there are some again.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Some(place) = Place::take(&open, peer.ip(), &self.limits) else { continue };
            let router = router.clone();
            self.connect(stream, peer.ip(), router, &graceful, place, is_over.clone());
        }
        drop(self.listener);
        over.send_replace(true);
        // Who does not end by then is cut off: what was acknowledged is kept.
        let _ = timeout(LAST_WORDS, graceful.shutdown()).await;
    }

    fn connect(
        &self,
        stream: TcpStream,
        peer: IpAddr,
        router: Router,
        graceful: &GracefulShutdown,
        place: Place,
        is_over: watch::Receiver<bool>,
    ) {
        // Small answers go at once.
        let _ = stream.set_nodelay(true);
        let service = Visited { router, visitor: Visitor(peer), asked: Arc::default() };
        let (watcher, patience) = (graceful.watcher(), Duration::from_secs(self.limits.request_seconds));
        let tls = self.tls.clone();
        tokio::spawn(async move {
            let _place = place;
            match tls {
                None => speak(stream, service, patience, watcher, is_over).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(patience, tls.accept(stream)).await {
                        speak(stream, service, patience, watcher, is_over).await;
                    }
                }
            }
        });
    }
}

/// Answers the requests of one connection until it ends.
async fn speak<S>(
    stream: S,
    service: Visited,
    patience: Duration,
    watcher: Watcher,
    mut is_over: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(64 << 10);
    let asked = Arc::clone(&service.asked);
    let connection = builder
        .serve_connection(TokioIo::new(Patient::new(stream, patience)), TowerToHyperService::new(service));
    let unasked = async {
        let _ = is_over.wait_for(|over| *over).await;
        if asked.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
    };
    // A connection that breaks is the client's affair. One over which nothing was asked waits for nothing at the end.
    tokio::select! {
        _ = watcher.watch(connection) => {}
        () = unasked => {}
    }
}

/// The router, told who is connected.
#[derive(Clone)]
struct Visited {
    router: Router,
    visitor: Visitor,
    /// A request has come.
    asked: Arc<AtomicBool>,
}

impl tower_service::Service<hyper::Request<Incoming>> for Visited {
    type Response = axum::response::Response;
    type Error = std::convert::Infallible;
    type Future = axum::routing::future::RouteFuture<std::convert::Infallible>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: hyper::Request<Incoming>) -> Self::Future {
        self.asked.store(true, Ordering::SeqCst);
        request.extensions_mut().insert(self.visitor);
        self.router.call(request)
    }
}

/// Connections that are open, by visitor.
#[derive(Default)]
struct Open {
    of: Mutex<(usize, BTreeMap<[u8; 8], usize>)>,
}

/// A connection's place; given back when it ends.
struct Place {
    open: Arc<Open>,
    visitor: [u8; 8],
}

impl Place {
    fn take(open: &Arc<Open>, peer: IpAddr, limits: &Limits) -> Option<Place> {
        let visitor = network(peer);
        let mut counts = open.of.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = counts.1.get(&visitor).copied().unwrap_or(0);
        // All connections of a proxy are one visitor's, and none.
        let too_many = mine >= limits.connections_of_one && limits.visitor_header.is_none();
        if counts.0 >= limits.connections || too_many {
            return None;
        }
        counts.0 += 1;
        counts.1.insert(visitor, mine + 1);
        Some(Place { open: Arc::clone(open), visitor })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.open.of.lock().unwrap_or_else(PoisonError::into_inner);
        counts.0 -= 1;
        if let Some(mine) = counts.1.get_mut(&self.visitor) {
            *mine -= 1;
            if *mine == 0 {
                counts.1.remove(&self.visitor);
            }
        }
    }
}
