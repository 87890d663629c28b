// Reads the settings from environment variables. No other module of the CLI reads them.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Settings {
  /** A personal access token. It overrides the token of a profile. */
  token: string | undefined;
  /** An API key of an app, for /v1. */
  key: string | undefined;
  consoleUrl: string | undefined;
  apiUrl: string | undefined;
  profile: string | undefined;
  app: string | undefined;
  /** Path of the file that stores profiles. */
  configFile: string;
  hasColour: boolean;
}

/** Returns the environment of a command that `slipway ci` runs: without the access token, with the given variables. */
export function childEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { SLIPWAY_TOKEN: _, ...inherited } = process.env;
  return { ...inherited, ...variables };
}

export const DEFAULT_CONSOLE_URL = 'http://localhost:3000';
export const DEFAULT_API_URL = 'http://localhost:4000';

export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const folder = text('XDG_CONFIG_HOME') ?? text('APPDATA') ?? join(homedir(), '.config');
  return {
    token: text('SLIPWAY_TOKEN'),
    key: text('SLIPWAY_KEY'),
    consoleUrl: text('SLIPWAY_CONSOLE_URL'),
    apiUrl: text('SLIPWAY_API_URL'),
    profile: text('SLIPWAY_PROFILE'),
    app: text('SLIPWAY_APP'),
    configFile: join(folder, 'slipway', 'config.json'),
    hasColour: !env.NO_COLOR && env.TERM !== 'dumb', // no-color.org: the variable is set and not empty
  };
}
