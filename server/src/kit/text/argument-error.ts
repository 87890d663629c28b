/** Returns the error of a command line, without the advice on dashes that Node adds to each unknown option. */
export function describeArgumentError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ To specify a positional argument .*$/s, '');
}
