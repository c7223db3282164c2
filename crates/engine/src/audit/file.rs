//! Verifying an exported file: no server, no database.

use std::io::{self, BufRead, Read};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use toolgate_store::{Counts, Head};

use super::{
    PublicKey,
    compare::Seen,
    finding::{Finding, FindingKind, KeySource, Totals, Verification},
    lines::{EndLine, FORMAT, Header, Line, digest, read_record},
    verifier::Verifier,
};

/// A receipt holds an input and an output; no line of an export is longer.
const MAX_LINE_BYTES: u64 = 256 * 1024 * 1024;

enum Stop {
    Found(Finding),
    Io(io::Error),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Self::Found(finding)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads an export and holds it against `trusted`, or else against the key that the file names. `progress` hears how far it is.
pub fn verify_file(
    source: &mut dyn BufRead,
    trusted: Option<PublicKey>,
    progress: &mut dyn FnMut(Totals),
) -> io::Result<Verification> {
    let key_source = if trusted.is_some() { KeySource::Given } else { KeySource::File };
    let mut reader = Reader { source, number: 0, sha256: Sha256::new(), line: Vec::new() };
    let answer = |totals, key, finding| Ok(Verification::new(totals, key, key_source, finding));
    let header = match reader.header(trusted) {
        Ok(header) => header,
        Err(Stop::Found(finding)) => return answer(Totals::default(), trusted, Some(finding)),
        Err(Stop::Io(error)) => return Err(error),
    };
    let mut verifier = Verifier::new(header.0.tenant_id, header.1);
    match reader.body(&header.0, header.1, &mut verifier, progress) {
        Ok(()) => answer(verifier.totals(), Some(header.1), None),
        Err(Stop::Found(finding)) => answer(verifier.totals(), Some(header.1), Some(finding)),
        Err(Stop::Io(error)) => Err(error),
    }
}

struct Reader<'a> {
    source: &'a mut dyn BufRead,
    number: u64,
    /// Of every line before the present one.
    sha256: Sha256,
    line: Vec<u8>,
}

impl Reader<'_> {
    /// The next line, without its end; `None` when the file is over. What is not text, or too long, is an empty line, which
    /// stands for nothing.
    fn next(&mut self) -> io::Result<Option<&str>> {
        self.sha256.update(&self.line);
        self.line.clear();
        self.number += 1;
        if (&mut *self.source).take(MAX_LINE_BYTES).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or_default();
        Ok(Some(std::str::from_utf8(line).unwrap_or_default()))
    }

    fn header(&mut self, trusted: Option<PublicKey>) -> Result<(Header, PublicKey), Stop> {
        let changed = |why: &str| Finding::new(FindingKind::Changed, "header", why);
        let Some(Line::Header(header)) = self.next()?.and_then(Line::read) else {
            return Err(
                changed("the first line is not the header of an export: it was changed or removed").into()
            );
        };
        if header.format != FORMAT {
            let why = format!("the format is `{}`; this program reads `{FORMAT}`", header.format);
            return Err(changed(&why).into());
        }
        let named = header.public_key.parse::<PublicKey>();
        let named = named.map_err(|_| changed("its public key is none: it was changed"))?;
        match trusted {
            Some(trusted) if trusted != named => {
                let why = format!(
                    "it names the key {named}, not the one you trust: another server, or a forger, wrote it"
                );
                Err(Finding::new(FindingKind::BadSignature, "header", why).into())
            }
            _ => Ok((header, named)),
        }
    }

    fn body(
        &mut self,
        header: &Header,
        key: PublicKey,
        verifier: &mut Verifier,
        progress: &mut dyn FnMut(Totals),
    ) -> Result<(), Stop> {
        let mut heads = 0;
        let end = loop {
            let number = self.number + 1;
            let Some(text) = self.next()? else {
                return Err(cut_off(header, verifier).into());
            };
            if let Some(seen) = read_record(text) {
                verifier.record(seen.at(number))?;
                continue;
            }
            match Line::read(text) {
                Some(Line::End(end)) => break end,
                Some(Line::Link(line)) if line.link().is_some() => {
                    if let Some(link) = line.link() {
                        verifier.link(&link)?;
                        progress(verifier.totals());
                    }
                }
                Some(Line::Head(line)) if line.head().is_some() => {
                    heads += 1;
                    if line.number != heads {
                        return Err(misplaced(heads, line.number, verifier.head()).into());
                    }
                    if let Some(head) = line.head() {
                        verifier.signed(&head)?;
                    }
                }
                // Something was a record, a link or a head: what comes next tells which.
                _ => verifier.record(Seen::UNREADABLE.at(number))?,
            }
        };
        let hash = digest(&header.hash).unwrap_or_default();
        let head = Head { seq: header.links, hash };
        verifier.end(&Counts { receipts: header.receipts, events: header.events, head })?;
        if !verifier.is_signed() {
            let why = "the end of the chain has no signature, and every export has one: it was removed";
            return Err(Finding::new(FindingKind::Removed, format!("head {}", head.seq), why).into());
        }
        self.check_end(&end, key)?;
        counted(header, verifier.totals())?;
        Ok(())
    }

    /// The last line covers every byte before it, and nothing comes after.
    fn check_end(&mut self, end: &EndLine, key: PublicKey) -> Result<(), Stop> {
        let sha256 = self.sha256.clone().finalize().into();
        let signature = HEXLOWER.decode(end.signature.as_bytes()).unwrap_or_default();
        if digest(&end.sha256) != Some(sha256) {
            let why = "every record and link is as it was, and the bytes of the file are not: the header was changed";
            return Err(Finding::new(FindingKind::Changed, "header", why).into());
        }
        if !key.vouches_for_export(&sha256, &signature) {
            let why = format!("the file's signature is not one of the key {key}: it was changed or forged");
            return Err(Finding::new(FindingKind::BadSignature, "end", why).into());
        }
        let number = self.number + 1;
        if self.next()?.is_some() {
            let why = "it comes after the end of the export: it was inserted";
            return Err(Finding::new(FindingKind::Inserted, format!("line {number}"), why).into());
        }
        Ok(())
    }
}

fn cut_off(header: &Header, verifier: &Verifier) -> Finding {
    let reached = verifier.head().seq;
    let record = if reached < header.links { format!("link {}", reached + 1) } else { "end".to_owned() };
    let why = format!(
        "the file ends after link {reached} of {}, without its last line: its end was cut off",
        header.links
    );
    Finding::new(FindingKind::Truncated, record, why)
}

fn misplaced(expected: u64, given: u64, after: Head) -> Finding {
    let why = format!(
        "after link {} comes signed head number {given} of the file, not number {expected}",
        after.seq
    );
    let kind = if given > expected { FindingKind::Removed } else { FindingKind::Inserted };
    Finding::new(kind, format!("signed head number {expected}"), why)
}

/// The server wrote down how many records its database held, whether the chain names them or not.
fn counted(header: &Header, totals: Totals) -> Result<(), Finding> {
    if (header.receipts, header.events) == (totals.receipts, totals.events) {
        return Ok(());
    }
    let why = format!(
        "the database held {} receipts and {} audit events, and its chain names {} and {}: some were inserted into it; \
         `toolgate audit verify` of the server names the first",
        header.receipts, header.events, totals.receipts, totals.events
    );
    Err(Finding::new(FindingKind::Inserted, "header", why))
}
