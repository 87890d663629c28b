// Errors that end a command, with their exit codes. `slipway help exit-codes` prints the table.

export const EXIT = {
  failed: 1,
  cancelled: 2,
  usage: 3,
  authentication: 4,
  noAnswer: 5,
  rateLimited: 6,
  differs: 7,
  interrupted: 130,
} as const;

export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'Success.'],
  [EXIT.failed, 'The command was refused or failed; stderr states the reason.'],
  [EXIT.cancelled, 'You declined a confirmation.'],
  [EXIT.usage, 'The command line is invalid.'],
  [EXIT.authentication, 'The token or key is missing or not accepted: run `slipway login`.'],
  [EXIT.noAnswer, 'No response, or a response that is not from Slipway.'],
  [EXIT.rateLimited, 'Too many requests; stderr states when to retry.'],
  [EXIT.differs, 'The file of `slipway diff` and the app differ.'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C or SIGTERM.'],
];

export const EXIT_CODE_NOTE = '`slipway ci` exits with the code of your command, which can equal one of these codes.';

/** An error with its own exit code. The message does not begin with `slipway:`. */
export class CommandError extends Error {
  readonly code: number;
  constructor(message: string, code: number = EXIT.failed) {
    super(message);
    this.code = code;
  }
}
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
export class AuthenticationError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.authentication);
  }
}
/** The user declined a confirmation. */
export class CancellationError extends CommandError {
  constructor() {
    super('cancelled; nothing was changed.', EXIT.cancelled);
  }
}
/** Ends a command that only prints the call that it would send. */
export class DryRunSignal extends Error {}

/** The server that is being called, and how the user can correct its address. */
export interface Peer {
  name: string;
  url: string;
  fix: string;
}
