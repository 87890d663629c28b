// Errors that end a command, with their exit codes. `slipway help exit-codes` prints the table.

export const EXIT = {
  failed: 1,
  cancelled: 2,
  usage: 3,
  authentication: 4,
  noAnswer: 5,
  rateLimited: 6,
  interrupted: 130,
} as const;

export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'It is done.'],
  [EXIT.failed, 'It was refused, or it failed; stderr says why.'],
  [EXIT.cancelled, 'You said no when you were asked.'],
  [EXIT.usage, 'The command is not understood as it was typed.'],
  [EXIT.authentication, 'There is no token or key, or it is not accepted: `slipway login`.'],
  [EXIT.noAnswer, 'There was no answer, or none of Slipway’s.'],
  [EXIT.rateLimited, 'Too many requests; stderr says when to come back.'],
  [EXIT.interrupted, 'Ctrl-C.'],
];

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
export class Cancelled extends CommandError {
  constructor() {
    super('nothing was done.', EXIT.cancelled);
  }
}
/** Ends a command that only prints the call that it would send. */
export class DryRun extends Error {}

/** The server that is being called, and how the user can correct its address. */
export interface Peer {
  name: string;
  url: string;
  mend: string;
}
