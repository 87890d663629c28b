// Classifies errors of the database driver where the driver raises them. No other error counts as a lost database,
// because it may contain any text, such as the reason of a suspension that a person typed.
import pg from 'pg';

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database could not do this: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The database is probably reachable, but did not respond in time. */
export class DatabaseTimeout extends DatabaseUnavailable {}

/** Rethrows the error. For facts that must be confirmed: a timeout becomes unavailability. */
export function rethrowAsUnavailable(error: unknown): never {
  throw error instanceof DatabaseTimeout ? new DatabaseUnavailable(error) : error;
}

export const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailable;

const STATEMENT_TIMEOUT = '57014';
// SQLSTATE classes 08 (connection), 57P (shutdown, start-up), 53 (no resources), 25006 (a standby), the statement
// timeout, and the conflicts below.
const UNAVAILABLE_STATE = /^(08...|57P0.|53...|25006|57014|40001|40P01)$/;
/** Serialization failure and deadlock: Postgres has rolled the transaction back, and it may run again. */
const CONFLICT_STATE = /^(40001|40P01)$/;
/** Errors of the operating system and its resolver, such as ECONNRESET. Node's own codes begin with ERR_. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z0-9_]+$/;
const STREAM_CODES = new Set(['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_SOCKET_CLOSED']);
const READ_TIMEOUT = 'Query read timeout';
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
/** Lost connections that the driver (pg, pg-pool) raises without a code. */
const LOSSES = new Set([
  READ_TIMEOUT,
  'timeout expired',
  POOL_TIMEOUT,
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

/** Converts an error that the driver raised. Use it only for errors that come directly from a call of the driver. */
export function fromDriver(error: unknown): unknown {
  if (!(error instanceof Error) || isUnavailable(error) || !isLoss(error)) return error;
  const isLate = codeOf(error) === STATEMENT_TIMEOUT || error.message === READ_TIMEOUT;
  return isLate ? new DatabaseTimeout(error) : new DatabaseUnavailable(error);
}

/** Returns whether all connections of a pool were in use for too long. */
export const isPoolTimeout = (error: unknown): boolean => error instanceof Error && error.message === POOL_TIMEOUT;

export function refuseFromDriver(error: unknown): never {
  throw fromDriver(error);
}

/**
 * Returns whether the error is a deadlock or a serialization failure. Postgres rolled the transaction back, so it may
 * run again.
 */
export function isConflict(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return cause instanceof pg.DatabaseError && CONFLICT_STATE.test(cause.code ?? '');
}

/** Returns whether a unique index refused a row. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505';

/**
 * Returns whether a prepared statement of this connection is no longer valid: 0A000 (its result type changed) or 26000
 * (it does not exist).
 */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(0A000|26000)$/.test(error.code ?? '');
