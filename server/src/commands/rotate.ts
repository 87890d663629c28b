// `slipway-server rotate-pepper` and `rotate-master-key`: each run performs the next step of a rotation. Secrets in the
// data folder are changed; for secrets in settings, the command prints the new settings. No secret is dropped while a
// value needs it.

import { randomBytes } from 'node:crypto';
import type { Environment } from '../access/authority/index.ts';
import { resolveDatabases } from '../boot/databases.ts';
import { ConfigError } from '../config/config.ts';
import { type PlaneSetting, settingOf } from '../config/plane-settings.ts';
import { readVersions, type SecretVersions } from '../config/secret-versions.ts';
import { findSecrets, type StartedVersions, type StoredRotation, updateStoredSecrets } from '../config/secrets.ts';
import type { SettingName } from '../config/settings.ts';
import { secret } from '../kit/crypto/secret.ts';
import type { Database } from '../kit/db/db.ts';
import { withDatabase } from '../kit/db/short-lived-database.ts';
import { countByPepper } from '../tenancy/keys/index.ts';
import { countSealed } from '../webhooks/webhooks/index.ts';
import { type Command, type CommandContext, ENVIRONMENT_OPTION, readArguments, readEnvironment } from './command.ts';

export const ROTATE_PEPPER_USAGE =
  'slipway-server rotate-pepper [--environment sandbox|production]      print the next step of a rotation of the pepper';
export const ROTATE_MASTER_KEY_USAGE =
  'slipway-server rotate-master-key [--environment sandbox|production]  print the next step of a rotation of the master key';

interface SecretKind {
  name: 'pepper' | 'master key';
  kept: {
    secret: 'pepper' | 'masterKey';
    version: keyof StoredRotation;
    others: keyof StoredRotation;
    startedWith: keyof StartedVersions;
  };
  settings: { secret: PlaneSetting; version: PlaneSetting; others: PlaneSetting };
  usage: string;
  /** Returns a text about what still needs this version; undefined if nothing does. */
  findUse(worker: Database, version: number): Promise<string | undefined>;
}

/** A kind of secret in one environment. */
interface RotatedSecret extends Omit<SecretKind, 'settings'> {
  environment: Environment;
  settings: Record<keyof SecretKind['settings'], SettingName>;
}

const mapOf = (
  { secret, version, others }: SecretKind['settings'],
  environment: Environment,
): RotatedSecret['settings'] => ({
  secret: settingOf(environment, secret),
  version: settingOf(environment, version),
  others: settingOf(environment, others),
});

const PEPPER: SecretKind = {
  name: 'pepper',
  kept: { secret: 'pepper', version: 'pepperVersion', others: 'otherPeppers', startedWith: 'startedWithPepperVersion' },
  settings: {
    secret: 'PEPPER',
    version: 'PEPPER_VERSION',
    others: 'OTHER_PEPPERS',
  },
  usage: ROTATE_PEPPER_USAGE,
  async findUse(worker, version) {
    const keys = (await countByPepper(worker)).find((row) => row.version === version)?.keys;
    return keys === undefined
      ? undefined
      : `${keys} keys are verified under it. Each key leaves it when it is used or expires`;
  },
};

const MASTER_KEY: SecretKind = {
  name: 'master key',
  kept: {
    secret: 'masterKey',
    version: 'masterKeyVersion',
    others: 'otherMasterKeys',
    startedWith: 'startedWithMasterKeyVersion',
  },
  settings: {
    secret: 'MASTER_KEY',
    version: 'MASTER_KEY_VERSION',
    others: 'OTHER_MASTER_KEYS',
  },
  usage: ROTATE_MASTER_KEY_USAGE,
  async findUse(worker, version) {
    const values = (await countSealed(worker)).find((row) => row.master_key === `m${version}`)?.count;
    return values === undefined
      ? undefined
      : `${values} values are sealed under it. A worker reseals them under the new master key`;
  },
};

export const rotatePepper: Command = (args, tools) => rotate(PEPPER, args, tools);
export const rotateMasterKey: Command = (args, tools) => rotate(MASTER_KEY, args, tools);

async function rotate(kind: SecretKind, args: string[], tools: CommandContext): Promise<boolean> {
  const { options } = readArguments(args, { options: ENVIRONMENT_OPTION, usage: kind.usage, count: 0 });
  const environment = readEnvironment(options, kind.usage);
  const { config } = tools;
  const { secrets, rotation, startedWith } = await findSecrets(config, environment);
  const rotated: RotatedSecret = { ...kind, environment, settings: mapOf(kind.settings, environment) };
  const { name, settings, kept } = rotated;
  const current = secrets[kept.secret];
  if (!current)
    throw new ConfigError(`There is no ${name} yet: neither ${settings.secret} nor ${config.dataDir} contains one.`);
  const { version, others } = settings;
  const versions = readVersions(rotation, current, { name, version, others, refuse: () => undefined });
  const isSetting = config.find(settings.secret) !== undefined;
  const past = otherVersions(versions).filter((other) => other < versions.current);
  if (past.length > 0 && !isSetting && startedWith[kept.startedWith] !== String(versions.current)) {
    tools.print(`Slipway has not been started with the new ${name} yet. Restart Slipway, then run this command again.`);
    return false;
  }
  if (past.length > 0) return endRotation(rotated, versions, past, isSetting, tools);
  return isSetting ? printNextSettings(rotated, versions, tools) : beginStoredRotation(rotated, versions, tools);
}

const otherVersions = ({ current, keys }: SecretVersions): number[] =>
  Object.keys(keys)
    .map(Number)
    .filter((version) => version !== current);

const textOf = (versions: SecretVersions, version: number): string => versions.keys[version]?.reveal() ?? '';

/**
 * Begins a rotation in the data folder. There is only one process, so no step is needed in which it knows the new
 * secret but does not use it.
 */
async function beginStoredRotation(
  { name, kept }: RotatedSecret,
  versions: SecretVersions,
  { config, print }: CommandContext,
): Promise<boolean> {
  const next = versions.current + 1;
  await updateStoredSecrets(config, {
    [kept.secret]: randomBytes(32).toString('base64'),
    [kept.version]: String(next),
    [kept.others]: `${versions.current}:${textOf(versions, versions.current)}`,
  });
  print(
    `The current ${name} is now version ${next}; version ${versions.current} stays valid. Restart Slipway, then run this command again.`,
  );
  return true;
}

function printNextSettings(
  { name, settings }: RotatedSecret,
  versions: SecretVersions,
  { print }: CommandContext,
): boolean {
  const newer = otherVersions(versions).find((version) => version > versions.current);
  if (newer === undefined) {
    const next = versions.current + 1;
    const drawn = secret(randomBytes(32).toString('base64'));
    print(
      `1 of 3. Add this setting with the next ${name} to every api and worker, restart each, then run this command again with the setting:`,
    );
    print(`${settings.others}='${next}:${drawn.reveal()}'`);
    return true;
  }
  print(
    `2 of 3. Make version ${newer} the current ${name} of every api and worker, restart each, then run this command again with these settings:`,
  );
  print(`${settings.secret}='${textOf(versions, newer)}'`);
  print(`${settings.version}=${newer}`);
  print(`${settings.others}='${versions.current}:${textOf(versions, versions.current)}'`);
  return true;
}

async function endRotation(
  { name, kept, settings, environment, findUse }: RotatedSecret,
  versions: SecretVersions,
  past: readonly number[],
  isSetting: boolean,
  { config, log, lifetime, print }: CommandContext,
): Promise<boolean> {
  const { [environment]: url } = await resolveDatabases(config, log, lifetime);
  if (url === undefined) throw new ConfigError(`${settingOf(environment, 'DATABASE_URL')} is missing.`);
  const uses = await withDatabase({ url, role: 'slipway_worker' }, async (db) =>
    Promise.all(past.map(async (version) => ({ version, use: await findUse(db, version) }))),
  );
  const needed = uses.filter(({ use }) => use !== undefined);
  for (const { version, use } of needed)
    print(`The ${name} of version ${version} is needed yet: ${use}. Run this command again later.`);
  if (needed.length > 0) return false;
  if (isSetting)
    print(
      `3 of 3. Nothing needs an earlier ${name}: leave ${settings.others} out. ${settings.version} stays ${versions.current}.`,
    );
  else {
    await updateStoredSecrets(config, { [kept.others]: undefined });
    print(
      `Nothing needs an earlier ${name}: the next start of Slipway deletes it. Older backups need it and contain it.`,
    );
  }
  return true;
}
