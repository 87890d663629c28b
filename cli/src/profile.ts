// Profiles: where a Console is, the token for it, and what was chosen there. The file is its owner's alone, and written whole.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, UsageError } from './errors.ts';
import { inert } from './text.ts';

export interface Named {
  id: string;
  name: string;
}

export interface Profile {
  consoleUrl: string;
  token: string;
  organisation: Named;
  app?: Named;
  /** Where the APIs were when it was made, by environment. */
  apiUrls?: Readonly<Record<string, string>>;
}

export interface Profiles {
  current: string | undefined;
  all: Readonly<Record<string, Profile>>;
}

export const NO_PROFILES: Profiles = { current: undefined, all: {} };

/** Those of the file; none where there is no file. `warn` is told when others can read it. */
export function readProfiles(file: string, warn: (text: string) => void = () => {}): Profiles {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
    if (isOpen) warn(`others can read ${file}, which holds tokens: chmod 600 it.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_PROFILES; // as Node's own errors are
    throw new CommandError(`${file} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} is no list of profiles. Remove it, and \`slipway login\` again.`);
  }
}

function parse(value: unknown): Profiles {
  const { current, profiles } = value as { current?: unknown; profiles: Record<string, Partial<Profile>> }; // looked at below
  for (const { consoleUrl, token, organisation, app, apiUrls = {} } of Object.values(profiles)) {
    const isNamed = (one: Named): boolean => typeof one.id === 'string' && typeof one.name === 'string';
    const isWhole =
      typeof consoleUrl === 'string' && typeof token === 'string' && organisation && isNamed(organisation);
    const areTexts = Object.values(apiUrls).every((url) => typeof url === 'string');
    if (!isWhole || (app && !isNamed(app)) || !areTexts) throw new Error('a profile is incomplete');
  }
  return {
    current: typeof current === 'string' && Object.hasOwn(profiles, current) ? current : undefined,
    all: profiles as Record<string, Profile>, // each was looked at
  };
}

/** Beside it first: whoever reads meanwhile has the old one or the new one, and nobody else has either. */
export function writeProfiles(file: string, { current, all }: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ current, profiles: all }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600); // also where the file was left behind
  renameSync(fresh, file);
}

/** The one that is asked for, or else the current one. */
export function findProfile({ current, all }: Profiles, wanted: string | undefined): [string, Profile] | undefined {
  const name = wanted ?? current;
  const profile = name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
  if (wanted !== undefined && !profile) {
    const names = Object.keys(all).join(', ') || 'none yet';
    throw new UsageError(`there is no profile ${inert(wanted)}; there are: ${inert(names)}.`);
  }
  return name !== undefined && profile ? [name, profile] : undefined;
}

/** A name for the profile of an organisation: its own where that is free, or the same organisation's. */
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
