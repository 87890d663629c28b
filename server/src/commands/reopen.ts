// `slipway-server reopen`: takes away the access that a restore may have revived, and opens the gate of each closed
// database (docs/decisions/0061). Without --yes the command prints what a run would do.
import { existsSync } from 'node:fs';
import { type Environment, findPlaneGate } from '../access/authority/index.ts';
import { resolveDatabases } from '../boot/databases.ts';
import { inspectSchema } from '../boot/process.ts';
import { type Config, ConfigError, refuseOtherCredentials } from '../config/config.ts';
import { readMasterKeys } from '../config/master-keys.ts';
import { settingOf } from '../config/plane-settings.ts';
import { findSecrets } from '../config/secrets.ts';
import type { Database } from '../kit/db/db.ts';
import { withDatabase } from '../kit/db/short-lived-database.ts';
import {
  countPlaneAccess,
  findConsoleGate,
  openPlaneGate,
  REOPENED_BY,
  revokePlaneAccess,
} from '../platform/restore-gate/index.ts';
import {
  applyJournal,
  JournalError,
  type JournalLine,
  type JournalPosition,
  linesAfter,
  lockJournalPosition,
  readWholeJournal,
  setJournalPosition,
  UNKNOWN_END,
} from '../platform/revocation-journal/index.ts';
import { BACKUP_DATABASES, DATABASES, type DatabaseName } from './backup-databases.ts';
import { type Command, ENVIRONMENT_OPTION, readArguments, readEnvironment } from './command.ts';
import { type CountLabels, describeDone, describePlan } from './count-texts.ts';
import { prepareConsole } from './reopen-console.ts';
import { runExclusively } from './reopen-store.ts';

export const REOPEN_USAGE =
  'slipway-server reopen [--environment production] [--journal FILE] [--owners FILE] [--yes]   revoke access after a restore, and open the gate';

export const reopen: Command = async (args, { config, log, lifetime, print }) => {
  const options = {
    ...ENVIRONMENT_OPTION,
    yes: { type: 'boolean' },
    journal: { type: 'string' },
    owners: { type: 'string' },
  } as const;
  const given = readArguments(args, { options, usage: REOPEN_USAGE, count: 0 });
  const environment = readEnvironment(given.options, REOPEN_USAGE);
  const isConfirmed = given.options.yes === true;
  if (environment === 'production') {
    refuseOtherCredentials(config, environment);
    config.need(DATABASES.production.setting);
  }
  const { journal, owners } = given.options;
  const lines = typeof journal === 'string' ? await openJournal(journal, environment, config) : undefined;
  const closed = await findClosed(environment, await resolveDatabases(config, log, lifetime));
  if (closed.length === 0) {
    print('No gate is closed: there is nothing to do.');
    return true;
  }
  const runs: [words: string, run: () => Promise<string>][] = [];
  for (const { name, url } of closed) {
    const { kind } = DATABASES[name];
    const run =
      kind === 'plane'
        ? () => reopenPlane(url, lines, isConfirmed)
        : await prepareConsole(url, typeof owners === 'string' ? owners : undefined, isConfirmed);
    runs.push([DATABASE_LABELS[name], isConfirmed ? () => runOnce(kind, url, run) : run]);
  }
  for (const [words, run] of runs) print(`${words}: ${await run()}`);
  if (!isConfirmed)
    print('No database was changed. Run the command again with --yes to make these changes and to open the gate.');
  return true;
};

/**
 * Allows one run at a time on a database: a second run would remove access that members received since the first
 * run.
 */
async function runOnce(kind: DatabaseKind, url: string, run: () => Promise<string>): Promise<string> {
  const done = await runExclusively(url, async () =>
    (await findGate(kind, url)) === null ? 'Another process opened the gate in the meantime.' : run(),
  );
  if (done === undefined)
    throw new ConfigError('Another `slipway-server reopen` runs on this database. Wait until it ends.');
  return done;
}

type DatabaseKind = (typeof DATABASES)[DatabaseName]['kind'];

const findGate = (kind: DatabaseKind, url: string) =>
  withDatabase({ url }, (db) => (kind === 'plane' ? findPlaneGate(db) : findConsoleGate(db)));

interface ClosedDatabase {
  name: DatabaseName;
  url: string;
}

async function findClosed(
  environment: Environment,
  urls: Readonly<Partial<Record<DatabaseName, string>>>,
): Promise<ClosedDatabase[]> {
  const closed: ClosedDatabase[] = [];
  // The Console comes last: when its gate opens it reports the status of organisations, for which an environment is
  // then waiting.
  for (const name of [...BACKUP_DATABASES[environment]].reverse()) {
    const { kind, setting } = DATABASES[name];
    const url = urls[name];
    // With separate roles, each database may be reopened from its own machine.
    if (url === undefined) continue;
    const { pending } = await inspectSchema(kind, url, setting);
    if (pending.length > 0)
      throw new ConfigError(`The database that ${setting} names is not up to date: run \`slipway-server migrate\`.`);
    if ((await findGate(kind, url)) !== null) closed.push({ name, url });
  }
  return closed;
}

const DATABASE_LABELS: Record<DatabaseName, string> = {
  sandbox: 'Sandbox',
  production: 'Production',
  console: 'Console',
};

const PLANE_LABELS: CountLabels = {
  keys: ['revoke', 'keys', 'revoked'],
  servers: ['pause', 'server grants', 'paused'],
  scopes: ['pause', 'scope grants', 'paused'],
  rules: ['enforce event scopes for', 'apps', 'switched to the rule of event scopes'],
};

async function openJournal(file: string, environment: Environment, config: Config): Promise<JournalLine[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  if (!secrets.masterKey)
    throw new ConfigError(`${settingOf(environment, 'MASTER_KEY')} is missing: it signs the journal.`);
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`);
  const masterKeys = readMasterKeys(rotation, secrets.masterKey, environment);
  return readWholeJournal(file, masterKeys).catch(refuseUnusable);
}

function refuseUnusable(error: unknown): never {
  throw error instanceof JournalError ? new ConfigError(error.message, { cause: error }) : error;
}

async function applyJournalTo(
  url: string,
  owner: Database,
  journal: readonly JournalLine[],
  isConfirmed: boolean,
): Promise<string> {
  const position = await owner.transaction(lockJournalPosition);
  const lines = await Promise.resolve(position)
    .then((at) => linesAfter(at, journal))
    .catch(refuseUnusable);
  const last = journal.at(-1) ?? null;
  // A truncated journal is otherwise valid: only the operator knows how far it must reach.
  const reach = last ? `. The journal ends with line ${last.n} of ${last.at}` : '';
  if (!isConfirmed) return `would apply ${lines.length} lines of the journal${reach}`;
  const countByKind = await withDatabase({ url, role: 'slipway_manager' }, (manager) =>
    applyJournal(owner, manager, lines, REOPENED_BY),
  );
  await openRestoredPlane(owner, last);
  const counts = Object.entries(countByKind).map(([kind, count]) => `${count} ${kind}`);
  return `${lines.length} lines of the journal applied (${counts.join(', ') || 'no access had to be removed'})${reach}. The gate is open.`;
}

const openRestoredPlane = (owner: Database, position: JournalPosition | null): Promise<void> =>
  owner.transaction(async (tx) => {
    await setJournalPosition(tx, position);
    await openPlaneGate(tx);
  });

const reopenPlane = (url: string, journal: readonly JournalLine[] | undefined, isConfirmed: boolean): Promise<string> =>
  withDatabase({ url }, async (owner) => {
    if (journal) return applyJournalTo(url, owner, journal, isConfirmed);
    if (!isConfirmed) return describePlan(await countPlaneAccess(owner), PLANE_LABELS);
    const counts = await withDatabase({ url, role: 'slipway_manager' }, (manager) => revokePlaneAccess(owner, manager));
    await openRestoredPlane(owner, UNKNOWN_END);
    return `${describeDone(counts, PLANE_LABELS)}. The gate is open.`;
  });
