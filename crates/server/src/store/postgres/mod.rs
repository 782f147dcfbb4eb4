//! PostgreSQL: any number of servers share one database.
//!
//! Reports of one experiment are numbered under the lock of its row of marks, so that they become visible in the order
//! of their numbers; a publication takes the same lock.

mod journals;
mod lease;
mod policies;
mod registry;
mod reports;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Timeouts, Transaction,
};
use reticent_schema::Prefix;
use reticent_store::Moment;
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Row};

use super::{Marks, Phase, Store, StoreError};

type Outcome<T> = Result<T, StoreError>;

/// Connections of one server.
const CONNECTIONS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(5);
/// What changes the tables, in order; each is applied once. What was released is never edited.
const MIGRATIONS: [&str; 1] = [include_str!("migrations/1.sql")];
/// Servers that start at the same time wait for each other.
const MIGRATION_LOCK: i64 = 0x7265_7469_6365_6e74;

/// The store in a PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    /// Marks as they were when reports were last numbered here: a guess, which is held against what is there.
    seen: Arc<Mutex<BTreeMap<Prefix, Marks>>>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Postgres")
    }
}

impl Postgres {
    /// Connects to `postgres://...`, and brings the tables up to date.
    pub async fn open(address: &str) -> Result<Postgres, StoreError> {
        let unusable = |what: &str| StoreError::Unavailable(format!("the database: {what}"));
        let config =
            address.parse::<tokio_postgres::Config>().map_err(|_| unusable("its address cannot be read"))?;
        let manager =
            Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let patience = Some(PATIENCE);
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .timeouts(Timeouts { wait: patience, create: patience, recycle: patience })
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|_| unusable("no pool of connections can be made"))?;
        let store = Postgres { pool, seen: Arc::default() };
        store.migrate().await?;
        Ok(store)
    }

    async fn migrate(&self) -> Outcome<()> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        step.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await.map_err(trouble)?;
        step.batch_execute("CREATE TABLE IF NOT EXISTS reticent_format (version int NOT NULL)")
            .await
            .map_err(trouble)?;
        let found = step.query_opt("SELECT max(version) FROM reticent_format", &[]).await.map_err(trouble)?;
        let done: i32 = found.and_then(|row| row.get::<_, Option<i32>>(0)).unwrap_or(0);
        let known = i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX);
        if done > known {
            return Err(StoreError::Format { found: done.to_string(), known: known.unsigned_abs() });
        }
        for (migration, version) in MIGRATIONS.iter().zip(1..).skip(usize::try_from(done).unwrap_or(0)) {
            step.batch_execute(migration).await.map_err(trouble)?;
            step.execute("INSERT INTO reticent_format VALUES ($1)", &[&version]).await.map_err(trouble)?;
        }
        step.commit().await.map_err(trouble)
    }

    async fn client(&self) -> Outcome<Object> {
        self.pool.get().await.map_err(|_| StoreError::Unavailable("the database gives no connection".into()))
    }
}

/// The code alone: what a database says in words may quote what is in it.
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn trouble(error: tokio_postgres::Error) -> StoreError {
    let code = error.code().map_or("the connection broke".into(), |code| format!("error {}", code.code()));
    StoreError::Unavailable(format!("the database: {code}"))
}

/// Marks are numbers of at most 2^63: policies and reports are counted from 0.
fn read_marks(row: &Row, from: usize) -> Outcome<Marks> {
    let number = |at: usize| row.get::<_, i64>(from + at).unsigned_abs();
    let phase = u8::try_from(row.get::<_, i16>(from)).ok().and_then(Phase::of);
    Ok(Marks {
        phase: phase.ok_or_else(|| StoreError::Damaged("an experiment's phase cannot be read".into()))?,
        appended: number(1),
        folded: number(2),
        oldest: number(3),
        newest: number(4),
        at: Moment::from_unix(row.get(from + 5)),
    })
}

const MARKS: &str = "phase, appended, folded, oldest, newest, at";

/// The marks, locked until the step ends.
async fn locked_marks(step: &Transaction<'_>, experiment: Prefix) -> Outcome<Option<Marks>> {
    let query = format!("SELECT {MARKS} FROM marks WHERE prefix = $1 FOR UPDATE");
    let statement = step.prepare_cached(&query).await.map_err(trouble)?;
    let row = step.query_opt(&statement, &[&experiment.bytes().as_slice()]).await.map_err(trouble)?;
    row.map(|row| read_marks(&row, 0)).transpose()
}

async fn put_marks(step: &Transaction<'_>, experiment: Prefix, marks: &Marks) -> Outcome<()> {
    let numbers = [marks.appended, marks.folded, marks.oldest, marks.newest].map(|number| number as i64);
    let query = "UPDATE marks SET phase = $2, appended = $3, folded = $4, oldest = $5, newest = $6, at = $7 WHERE prefix = $1";
    let [appended, folded, oldest, newest] = numbers;
    let (phase, at) = (i16::from(marks.phase.number()), marks.at.unix());
    let with: [Parameter; 7] =
        [&experiment.bytes().as_slice(), &phase, &appended, &folded, &oldest, &newest, &at];
    execute(step, query, &with).await.map(|_| ())
}

type Parameter<'a> = &'a (dyn ToSql + Sync);

/// Runs a statement that the connection has seen before without asking what it means.
async fn execute(step: &Transaction<'_>, query: &str, with: &[Parameter<'_>]) -> Outcome<u64> {
    let statement = step.prepare_cached(query).await.map_err(trouble)?;
    step.execute(&statement, with).await.map_err(trouble)
}

fn prefix(bytes: &[u8]) -> Outcome<Prefix> {
    let bytes = bytes.try_into().map_err(|_| StoreError::Damaged("a prefix cannot be read".into()))?;
    Ok(Prefix::from_bytes(bytes))
}

#[async_trait]
impl Store for Postgres {
    async fn check(&self) -> Outcome<()> {
        self.client().await?.query_one("SELECT 1", &[]).await.map_err(trouble).map(|_| ())
    }

    fn called(&self) -> &'static str {
        "PostgreSQL"
    }
}
