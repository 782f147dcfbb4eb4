//! What waits is sent, a batch after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Client, ClientError, Parcel, Reason, Refusal, ReportId, Trouble};

/// Reports in one upload.
const BATCH: usize = 100;

/// What became of what waited.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sent {
    /// Reports that the server has.
    pub taken: u64,
    /// Reports that it will not take, and that were dropped; what they cost stays spent.
    pub refused: BTreeMap<Reason, u64>,
    /// Reports that still wait.
    pub waiting: u64,
    /// What the server said, if it did not take all.
    pub trouble: Option<Trouble>,
    /// For how long nothing more is tried.
    pub wait: Option<Duration>,
}

impl Client {
    /// Sends what waits, if it is time: a server that was away or asked for patience is left alone until then.
    pub fn send(&self) -> Result<Sent, ClientError> {
        self.ensure_consent()?;
        let mut sent = Sent { wait: self.backoff().wait(self.now()), ..Sent::default() };
        if sent.wait.is_none() {
            self.send_now(&mut sent)?;
        }
        sent.waiting = self.waiting();
        Ok(sent)
    }

    fn send_now(&self, sent: &mut Sent) -> Result<(), ClientError> {
        let names = self.outbox().experiments();
        for name in names {
            loop {
                // Not held while the network is waited for: answers go on being queued.
                let parcels = self.outbox().first(&name, BATCH);
                if parcels.is_empty() {
                    break;
                }
                // Consent may have been withdrawn meanwhile.
                self.ensure_consent()?;
                match self.transport().upload(&name, &parcels) {
                    Ok(refusals) => {
                        let kept = self.settle(sent, &parcels, &refusals)?;
                        if kept > 0 {
                            sent.wait = Some(self.backoff().failed(self.now(), None)?);
                            break;
                        }
                        self.backoff().worked();
                    }
                    Err(Trouble::Later { what, after }) => {
                        sent.wait = Some(self.backoff().failed(self.now(), after)?);
                        sent.trouble = Some(Trouble::Later { what, after });
                        return Ok(());
                    }
                    // A key that was revoked may be renewed, an experiment that is gone may come back: nothing is
                    // thrown away for it, and other experiments are not held up.
                    Err(refused) => {
                        sent.wait = Some(self.backoff().failed(self.now(), None)?);
                        sent.trouble = Some(refused);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes out what is settled; says how many are to be sent again.
    fn settle(
        &self,
        sent: &mut Sent,
        parcels: &[Parcel],
        refusals: &[Refusal],
    ) -> Result<usize, ClientError> {
        let mut over: Vec<ReportId> = Vec::new();
        let mut kept = 0;
        for parcel in parcels {
            match refusals.iter().find(|refusal| refusal.id == parcel.id).map(|refusal| refusal.reason) {
                None | Some(Reason::Replayed) => sent.taken += 1,
                Some(reason) if reason.is_for_now() => {
                    kept += 1;
                    continue;
                }
                Some(reason) => *sent.refused.entry(reason).or_default() += 1,
            }
            over.push(parcel.id);
        }
        self.outbox().done(&over)?;
        Ok(kept)
    }
}
