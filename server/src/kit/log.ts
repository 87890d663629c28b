// Log lines: for a person at a terminal in words, otherwise as JSON. Secrets are a type that prints as [secret].
import pino from 'pino';

export interface Log {
  info(message: string, fields?: object): void;
  error(message: string, error: unknown, fields?: object): void;
}

export function createLog(isTerminal: boolean): Log {
  if (isTerminal) return { info: (message, fields) => console.log(inWords(message, fields)), error: errorInWords };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ sync: true }));
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    error: (message, error, fields = {}) => logger.error({ ...fields, err: error }, message),
  };
}

function inWords(message: string, fields: object = {}): string {
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return [message, ...rest].join('  ');
}

function errorInWords(message: string, error: unknown, fields?: object): void {
  console.error(inWords(message, fields), error instanceof Error ? `\n  ${error.message}` : error);
}
