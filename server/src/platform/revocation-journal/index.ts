// The revocation journal records removed access outside the database, for use after a restore.
export { applyJournal, linesAfter } from './apply-journal.ts';
export { ANY_END, type JournalLine, type Position, readWholeJournal, UnusableJournal } from './journal.ts';
export { findJournalAge, holdPosition, setPosition } from './journal-store.ts';
export { createJournalWriter, startJournal } from './write-journal.job.ts';
