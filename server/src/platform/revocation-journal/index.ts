// The revocation journal records removed access outside the database, for use after a restore.
export { applyJournal, linesAfter } from './apply-journal.ts';
export { JournalError, type JournalLine, type JournalPosition, readWholeJournal, UNKNOWN_END } from './journal.ts';
export { findJournalAge, lockJournalPosition, setJournalPosition } from './journal-store.ts';
export { createJournalWriter, startJournal } from './write-journal.job.ts';
