// Errors of the database driver, classified where the driver raises them. Nothing else is ever taken for a lost database: an
// error of ours may contain any text, such as the reason of a suspension that a person typed.
import pg from 'pg';

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database could not do this: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The database is reachable, as far as we know, but did not answer in time. */
export class DatabaseTimeout extends DatabaseUnavailable {}

/** For facts that must be confirmed: a late answer counts as no answer. */
export function refuseUnconfirmed(error: unknown): never {
  throw error instanceof DatabaseTimeout ? new DatabaseUnavailable(error) : error;
}

export const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailable;

const STATEMENT_TIMEOUT = '57014';
// SQLSTATE classes 08 (connection), 57P (shutdown, starting up), 53 (no resources), 25006 (a standby), the statement timeout, and
// the conflicts below.
const UNAVAILABLE_STATE = /^(08...|57P0.|53...|25006|57014|40001|40P01)$/;
/** Serialization failure and deadlock: Postgres has rolled the transaction back, and it may run again. */
const CONFLICT_STATE = /^(40001|40P01)$/;
/** Errors of the operating system and its resolver, such as ECONNRESET; Node's own begin with ERR_. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z0-9_]+$/;
const STREAM_CODES = new Set(['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_SOCKET_CLOSED']);
const READ_TIMEOUT = 'Query read timeout';
/** Losses that the driver (pg, pg-pool) raises with a text alone. */
const LOSSES = new Set([
  READ_TIMEOUT,
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

function isLoss(error: Error): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATE.test(code);
  return SYSTEM_CODE.test(code) || STREAM_CODES.has(code) || LOSSES.has(error.message);
}

/** Returns the error to throw for one that the driver raised. Only for errors that come straight from a call of the driver. */
export function fromDriver(error: unknown): unknown {
  if (!(error instanceof Error) || isUnavailable(error) || !isLoss(error)) return error;
  const isLate = codeOf(error) === STATEMENT_TIMEOUT || error.message === READ_TIMEOUT;
  return isLate ? new DatabaseTimeout(error) : new DatabaseUnavailable(error);
}

export function refuseFromDriver(error: unknown): never {
  throw fromDriver(error);
}

/** A deadlock or a serialization failure: Postgres rolled the transaction back, so it may run again. */
export function isConflict(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return cause instanceof pg.DatabaseError && CONFLICT_STATE.test(cause.code ?? '');
}

/** A statement that was prepared on this connection no longer fits: 0A000 (its result changed), 26000 (it is gone). */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(0A000|26000)$/.test(error.code ?? '');
