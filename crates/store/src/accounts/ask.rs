//! Asking for a release: whether it is stored, what it would cost, and paying for it.

use std::fmt;

use reticent_privacy::{Loss, composition};

use super::book::{Book, Charge, UNSPENT};
use super::line::Line;
use super::{AccountsError, Limit, View, Why, loss_words};

/// A table as it was seen. Its name is the file's, for the curator to know it by.
#[derive(Clone)]
pub struct Sighting {
    /// The file's name.
    pub name: String,
    /// All columns.
    pub whole: View,
    /// The columns that the plan names.
    pub declared: View,
}

/// Without the name, which may be a person's.
impl fmt::Debug for Sighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sighting").field("rows", &self.whole.rows()).finish_non_exhaustive()
    }
}

impl Sighting {
    /// What is compared with other tables: a look at a few columns only if it tells people apart.
    pub(super) fn views(&self) -> impl Iterator<Item = &View> {
        let more = !self.declared.is_same(&self.whole) && self.declared.tells_people_apart();
        std::iter::once(&self.whole).chain(more.then_some(&self.declared))
    }

    /// A mark of what the plan reads: the same rows have the same, in whatever order and file.
    pub fn mark(&self) -> String {
        self.declared.mark()
    }
}

/// What the curator allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Permission {
    /// A release that costs again.
    pub again: bool,
    /// Rows that look like those of other accounts are of other people.
    pub other_people: bool,
    /// What all releases may cost together, if it was said.
    pub limit: Option<Limit>,
}

/// A question about a table.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// The table.
    pub seen: &'a Sighting,
    /// The whole question: the plan, the method, the loss and the table's mark.
    pub question: &'a str,
    /// The same as the first versions wrote it.
    pub older: Option<&'a str>,
    /// What an answer costs everyone in the table.
    pub loss: Loss,
    /// What it is called.
    pub what: &'a str,
    /// What the curator allows.
    pub allowed: Permission,
    /// The file in which the work goes on after an interruption.
    pub state: Option<&'a str>,
    /// Whether there is work in it that can go on: then what was paid for it is not paid again.
    pub goes_on: bool,
    /// Whether a stored answer is of no use, because what it names is gone: then it is a new question.
    pub fresh: bool,
}

/// Without the question, which may be about a person.
impl fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("what", &self.what).field("loss", &self.loss).finish_non_exhaustive()
    }
}

/// What the accounts knew of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing: none of its rows, as far as can be told.
    New,
    /// The same rows.
    Same,
    /// Some of its rows, in other tables.
    Overlaps,
}

/// An account before and after a release.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The account's id; none before its first release.
    pub account: Option<String>,
    /// The file of all accounts.
    pub file: String,
    /// What was known of the table.
    pub known: Known,
    /// What all releases before cost together.
    pub before: Option<Loss>,
    /// The same with this one.
    pub after: Option<Loss>,
    /// What may be spent, if it was said.
    pub limit: Option<Limit>,
}

/// What a question comes to.
#[derive(Clone, PartialEq, Eq)]
pub enum Outlook {
    /// It was answered before: this is that answer, and nothing is paid.
    Stored(String),
    /// It was paid for, and its work goes on in a file.
    GoesOn,
    /// It costs its loss.
    Costs,
}

/// What paying comes to.
pub enum Payment {
    /// It was answered before: this is that answer, and nothing was paid.
    Stored(String),
    /// The charge is on the disk, now or from before: the answer may be drawn.
    Reserved(Reserved),
}

/// A charge that is on the disk and waits for its answer. Without one it stays spent.
#[must_use = "the loss is spent: draw the answer and store it"]
pub struct Reserved(pub(super) usize);

/// Which of the three it is.
impl fmt::Debug for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outlook::Stored(_) => "Stored(..)",
            Outlook::GoesOn => "GoesOn",
            Outlook::Costs => "Costs",
        })
    }
}

/// Which of the two it is.
impl fmt::Debug for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Payment::Stored(_) => "Stored(..)",
            Payment::Reserved(_) => "Reserved(..)",
        })
    }
}

impl fmt::Debug for Reserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.0).finish()
    }
}

/// Where a table belongs.
struct Place {
    same: Option<usize>,
    overlapping: Vec<usize>,
    /// The accounts of these, each once.
    accounts: Vec<usize>,
}

impl Book {
    fn place(&self, ask: &Ask) -> Place {
        let same = self.same(ask.seen);
        let mut overlapping = self.overlapping(ask.seen, same);
        if ask.allowed.other_people {
            overlapping.clear();
        }
        let account = |set: &usize| self.sets[*set].account;
        let mut accounts: Vec<usize> = same.iter().chain(&overlapping).map(account).collect();
        accounts.sort_unstable();
        accounts.dedup();
        Place { same, overlapping, accounts }
    }

    fn standing(&self, ask: &Ask, place: &Place, costs: bool) -> Standing {
        let before = self.spent_by(&place.accounts);
        let losses: Vec<Loss> = before.into_iter().chain(costs.then_some(ask.loss)).collect();
        let limits = place.accounts.iter().filter_map(|&account| self.limit_of(account));
        Standing {
            account: place.accounts.first().map(|&account| self.sets[account].id.clone()),
            file: self.file.clone(),
            known: match place {
                Place { same: Some(_), .. } => Known::Same,
                Place { overlapping, .. } if overlapping.is_empty() => Known::New,
                _ => Known::Overlaps,
            },
            before,
            after: composition::sequential(&losses),
            limit: limits.reduce(Limit::and),
        }
    }

    /// What a question would come to. Writes nothing.
    pub fn outlook(&self, ask: &Ask) -> Result<(Outlook, Standing), AccountsError> {
        let place = self.place(ask);
        if let Some(text) = self.stored(ask, &place) {
            return Ok((Outlook::Stored(text), self.standing(ask, &place, false)));
        }
        if self.begun(ask, &place).is_some() {
            return Ok((Outlook::GoesOn, self.standing(ask, &place, false)));
        }
        let mut standing = self.standing(ask, &place, true);
        if let (Some(stated), Some(limit)) = (ask.allowed.limit, standing.limit)
            && stated != limit
        {
            let Limit { epsilon, delta } = limit;
            let account = standing.account.unwrap_or_default();
            return Err(AccountsError::OtherLimit { file: standing.file, account, epsilon, delta });
        }
        standing.limit = standing.limit.or(ask.allowed.limit);
        allowed(ask, &standing)?;
        Ok((Outlook::Costs, standing))
    }

    /// Charges for this question in these accounts.
    fn charged<'a>(
        &'a self,
        ask: &'a Ask,
        place: &'a Place,
    ) -> impl DoubleEndedIterator<Item = (usize, &'a Charge)> {
        let asked = |question: &str| question == ask.question || Some(question) == ask.older;
        let of_these = |set: usize| place.accounts.contains(&self.sets[set].account);
        let charges = self.charges.iter().enumerate();
        charges.filter(move |(_, charge)| asked(&charge.question) && of_these(charge.set))
    }

    /// The last stored answer.
    fn stored(&self, ask: &Ask, place: &Place) -> Option<String> {
        let answer = |(_, charge): (usize, &Charge)| charge.answer.clone();
        if ask.fresh { None } else { self.charged(ask, place).rev().find_map(answer) }
    }

    /// The charge whose work goes on.
    fn begun(&self, ask: &Ask, place: &Place) -> Option<usize> {
        let begun = |charge: &Charge| charge.answer.is_none() && charge.state.as_deref() == ask.state;
        ask.state.filter(|_| ask.goes_on)?;
        self.charged(ask, place).rev().find(|(_, charge)| begun(charge)).map(|(number, _)| number)
    }

    /// The stored answer, or a charge that is on the disk when this returns.
    pub fn pay(&mut self, ask: &Ask) -> Result<(Payment, Standing), AccountsError> {
        let (outlook, mut standing) = self.outlook(ask)?;
        let place = self.place(ask);
        match (outlook, self.begun(ask, &place)) {
            (Outlook::Stored(text), _) => return Ok((Payment::Stored(text), standing)),
            (Outlook::GoesOn, Some(number)) => return Ok((Payment::Reserved(Reserved(number)), standing)),
            _ => {}
        }
        let (id, lines) = self.lines(ask, &place);
        let number = self.charges.len();
        let (before, this) = (loss_words(standing.before), loss_words(Some(ask.loss)));
        self.write(lines, || {
            format!("Nothing was released; {before} was spent before, and {this} with it if the line reached the disk")
        })?;
        standing.account = Some(self.account(&id)?);
        Ok((Payment::Reserved(Reserved(number)), standing))
    }

    /// What the book says of a charge: whose it is, if that is new, and the charge.
    fn lines(&self, ask: &Ask, place: &Place) -> (String, Vec<Line>) {
        let mut lines = Vec::new();
        let id = if let Some(same) = place.same {
            let (set, id) = (&self.sets[same], self.sets[same].id.clone());
            let news = ask.seen.views().filter(|view| !set.views.iter().any(|kept| kept.is_same(view)));
            lines.extend(news.map(|view| Line::Seen { id: id.clone(), view: view.clone() }));
            id
        } else {
            let id = self.free_id(&ask.seen.whole);
            let (name, views) = (ask.seen.name.clone(), ask.seen.views().cloned().collect());
            lines.push(Line::DataSet { id: id.clone(), name, views });
            id
        };
        let account = place.same.map(|same| self.sets[same].account);
        for set in self.overlapping(ask.seen, place.same) {
            let (one, other) = (id.clone(), self.sets[set].id.clone());
            if Some(self.sets[set].account) == account {
                continue;
            }
            lines.push(if ask.allowed.other_people {
                Line::Apart { one, other }
            } else {
                Line::Joined { one, other, why: Why::Rows }
            });
        }
        let limited = place.accounts.iter().any(|&account| self.limit_of(account).is_some());
        if let Some(Limit { epsilon, delta }) = ask.allowed.limit.filter(|_| !limited) {
            lines.push(Line::Limit { id: id.clone(), epsilon, delta });
        }
        lines.push(Line::Paid {
            id: id.clone(),
            loss: ask.loss,
            what: ask.what.into(),
            question: ask.question.into(),
            state: ask.state.map(String::from),
        });
        (id, lines)
    }

    /// The first eight digits of the rows' mark, or more if another data set has those.
    fn free_id(&self, whole: &View) -> String {
        let mark = whole.mark();
        let free = (8..=mark.len()).map(|digits| &mark[..digits]).find(|id| self.numbered(id).is_none());
        free.map_or(mark.clone(), String::from)
    }

    /// Stores the answer to a charge; when this returns it may leave.
    #[expect(clippy::needless_pass_by_value, reason = "a charge is answered once: its receipt is used up")]
    pub fn answer(&mut self, reserved: Reserved, text: String) -> Result<(), AccountsError> {
        let Reserved(charge) = reserved;
        let account = self.charges.get(charge).map(|charge| self.sets[charge.set].account);
        let spent = self.spent_words(&account.into_iter().collect::<Vec<_>>());
        self.write(vec![Line::Answered { charge, text }], || {
            format!("The release was paid for, could not be stored, and was not given out: {spent}")
        })
    }

    /// Takes over the charges of an account's file of its own that are not in this book: who made it wrote
    /// nothing about whose rows they were, so they count for this table.
    pub fn take_over(&mut self, old: &crate::Account, file: &str, ask: &Ask) -> Result<usize, AccountsError> {
        let charges = old.charges();
        let taken = self.taken_from(file);
        if charges.len() <= taken {
            return Ok(0);
        }
        // The old file's limit holds, unless the account has one.
        let (epsilon, delta) = old.limit();
        let allowed = Permission { limit: Some(Limit { epsilon, delta }), ..ask.allowed };
        let ask = Ask { allowed, ..*ask };
        let (id, mut lines) = self.lines(&ask, &self.place(&ask));
        lines.pop();
        for (number, (loss, answer)) in (self.charges.len()..).zip(&charges[taken..]) {
            let (question, text) = answer.clone().unzip();
            let (what, question) = ("taken over".to_string(), question.unwrap_or_default());
            lines.push(Line::Paid { id: id.clone(), loss: *loss, what, question, state: None });
            lines.extend(text.map(|text| Line::Answered { charge: number, text }));
        }
        lines.push(Line::Taken { id, file: file.into(), charges: charges.len() });
        self.write(lines, || UNSPENT.into())?;
        Ok(charges.len() - taken)
    }
}

/// Whether the curator allows what it costs.
fn allowed(ask: &Ask, standing: &Standing) -> Result<(), AccountsError> {
    let account = || standing.account.clone().unwrap_or_else(|| "(new)".into());
    let seen = match standing.known {
        _ if ask.fresh => "this table was released from before, the file of that answer is gone or changed",
        Known::New => "this table is new",
        Known::Same => "this table was released from before",
        Known::Overlaps => "this table shares rows with others that were released from",
    };
    let (file, spent) = (standing.file.clone(), format!("{} was spent", loss_words(standing.before)));
    let after = format!("{} would be spent", loss_words(standing.after));
    match standing.limit {
        Some(limit) if !standing.after.is_some_and(|loss| limit.covers(loss)) => {
            let Limit { epsilon, delta } = limit;
            Err(AccountsError::Exhausted { file, account: account(), seen, epsilon, delta, spent, after })
        }
        None if standing.before.is_some() && !ask.allowed.again => {
            let overlaps = standing.known == Known::Overlaps;
            let otherwise = if overlaps { ", --other-people if its people are others" } else { "" };
            Err(AccountsError::Again { file, account: account(), seen, spent, after, otherwise })
        }
        _ => Ok(()),
    }
}
