// The revocation journal: what was taken away, outside the database, for the day after a restore.
export { applyJournal, linesAfter } from './apply-journal.ts';
export { ANY_END, type JournalLine, type Position, readWholeJournal, UnusableJournal } from './journal.ts';
export { findJournalAge, holdPosition, setPosition } from './journal-store.ts';
export { createJournalWriter, startJournal } from './write-journal.job.ts';
