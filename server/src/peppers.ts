// The peppers that the settings name, by version: the current one, and those under which keys are verified too.
import { type Config, ConfigError } from './config.ts';
import type { Peppers } from './features/authority/index.ts';
import { type Secret, secret } from './kit/secret.ts';

const MAX_VERSION = 32_767;
const MIN_CHARACTERS = 32;

/** `current` is the text of the current one, which may have been generated. */
export function readPeppers(config: Pick<Config, 'find'>, current: Secret): Peppers {
  const version = readVersion(config.find('SLIPWAY_SANDBOX_PEPPER_VERSION') ?? '1', 'SLIPWAY_SANDBOX_PEPPER_VERSION');
  const keys: Record<number, Secret> = { [version]: current };
  const others = config.find('SLIPWAY_SANDBOX_OTHER_PEPPERS');
  // A pepper may hold commas and colons itself.
  for (const entry of others?.split(/,\s*(?=\d+:)/) ?? []) {
    const [, number, text = ''] = /^(\d+):(.*)$/s.exec(entry) ?? [];
    if (number === undefined) throw refuse('must be `1:<pepper>,2:<pepper>`.');
    const other = readVersion(number, 'SLIPWAY_SANDBOX_OTHER_PEPPERS');
    if (keys[other]) throw refuse(`names pepper ${other}, which is there already.`);
    if (text.length < MIN_CHARACTERS) throw refuse(`: pepper ${other} has fewer than ${MIN_CHARACTERS} characters.`);
    keys[other] = secret(text);
  }
  return { current: version, keys };
}

const refuse = (why: string): ConfigError =>
  new ConfigError(`SLIPWAY_SANDBOX_OTHER_PEPPERS${why.startsWith(':') ? '' : ' '}${why}`);

function readVersion(text: string, name: string): number {
  const version = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (version < 1 || version > MAX_VERSION) {
    throw new ConfigError(`${name}: "${text}" is no version of a pepper, which is a whole number from 1 to 32,767.`);
  }
  return version;
}
