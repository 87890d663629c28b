// Stores profiles: address of a Console, its token, and the chosen organisation and app. Only the owner can read the
// file, and it is replaced atomically.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, UsageError } from './errors.ts';
import { escapeText } from './text.ts';

export interface NamedObject {
  id: string;
  name: string;
}

export interface Profile {
  consoleUrl: string;
  token: string;
  organisation: NamedObject;
  app?: NamedObject;
  /** Addresses of the APIs by environment, read when the profile was made. */
  apiUrls?: Readonly<Record<string, string>>;
}

interface Profiles {
  current: string | undefined;
  all: Readonly<Record<string, Profile>>;
}

const NO_PROFILES: Profiles = { current: undefined, all: {} };

/** Reads the profiles. Returns none if the file does not exist. Calls `warn` if other users can read the file. */
export function readProfiles(file: string, warn: (text: string) => void = () => {}): Profiles {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
    if (isOpen) warn(`other users can read ${file}, which contains tokens. Run \`chmod 600\` on it.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_PROFILES; // the shape of errors of Node
    throw new CommandError(`${file} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} is not a list of profiles. Remove it and run \`slipway login\` again.`);
  }
}

function parse(value: unknown): Profiles {
  const { current, profiles } = value as { current?: unknown; profiles: Record<string, Partial<Profile>> }; // checked below
  for (const { consoleUrl, token, organisation, app, apiUrls = {} } of Object.values(profiles)) {
    const isNamed = (one: NamedObject): boolean => typeof one.id === 'string' && typeof one.name === 'string';
    const isWhole =
      typeof consoleUrl === 'string' && typeof token === 'string' && organisation && isNamed(organisation);
    const areTexts = Object.values(apiUrls).every((url) => typeof url === 'string');
    if (!isWhole || (app && !isNamed(app)) || !areTexts) throw new Error('a profile is incomplete');
  }
  return {
    current: typeof current === 'string' && Object.hasOwn(profiles, current) ? current : undefined,
    all: profiles as Record<string, Profile>, // each profile was checked
  };
}

/**
 * Writes a temporary file and renames it: readers see the old or the new content, and no other user can read either.
 */
export function writeProfiles(file: string, { current, all }: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ current, profiles: all }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600); // the temporary file can exist from an earlier run
  renameSync(fresh, file);
}

/** Returns the named profile, or the current one. Throws if the named profile does not exist. */
export function findProfile({ current, all }: Profiles, wanted: string | undefined): [string, Profile] | undefined {
  const name = wanted ?? current;
  const profile = name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
  if (wanted !== undefined && !profile) {
    const names = Object.keys(all).join(', ') || 'none';
    throw new UsageError(`profile ${escapeText(wanted)} not found; existing profiles: ${escapeText(names)}.`);
  }
  return name !== undefined && profile ? [name, profile] : undefined;
}

/**
 * Returns a profile name for an organisation: its name, with a number if another organisation has the name. An
 * organisation keeps its profile.
 */
export function nameFor({ all }: Profiles, { consoleUrl, organisation }: Profile): string {
  const base =
    organisation.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'default';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const held = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!held || (held.consoleUrl === consoleUrl && held.organisation.id === organisation.id)) return name;
  }
}
