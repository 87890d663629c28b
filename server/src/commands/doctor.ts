// `slipway-server doctor`: examines an installation, running or not, and reports each problem with its correction.
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../access/authority/index.ts';
import { findRunningDatabases, resolveDatabases } from '../boot/databases.ts';
import type { Config } from '../config/config.ts';
import { readPeppers } from '../config/peppers.ts';
import { settingOf } from '../config/plane-settings.ts';
import { findSecrets } from '../config/secrets.ts';
import { hasOperators } from '../governance/operators/index.ts';
import { withDatabase } from '../kit/db/short-lived-database.ts';
import { nowMs } from '../kit/flow/clock.ts';
import { createSmtp } from '../kit/outbound/smtp.ts';
import { findFailingMail } from '../platform/mail/index.ts';
import { countByPepper } from '../tenancy/keys/index.ts';
import { countWorkers, findQueueAge } from '../webhooks/dispatch/index.ts';
import { check } from './check.ts';
import {
  type CheckResult,
  type Command,
  fail,
  ok,
  printCheckResults,
  readArguments,
  runCheck,
  warn,
} from './command.ts';
import { readCatalogue, readClock } from './doctor-store.ts';

export const DOCTOR_USAGE =
  'slipway-server doctor                           list the problems of this installation, each with its fix';

export const doctor: Command = async (args, { config, log, lifetime, print }) => {
  readArguments(args, { usage: DOCTOR_USAGE, count: 0 });
  const folder = await runCheck(() => checkFolder(config));
  // Determined before `resolveDatabases` starts the Postgres of an installation in one process.
  const isStopped = !config.databases && (await findRunningDatabases(config).catch(() => undefined)) === undefined;
  const reached: { databases?: Awaited<ReturnType<typeof resolveDatabases>> } = {};
  const reach = await runCheck(async () => {
    reached.databases = await resolveDatabases(config, log, lifetime);
    return [];
  });
  const { sandbox, production, console } = reached.databases ?? {};
  const startChecks = reached.databases ? await check(...roleOf(config, reached.databases)) : [];
  const hasFailed = startChecks.some(({ level }) => level === 'fail');
  // A database that a start would refuse is not examined further.
  const ofPlane = sandbox && !hasFailed ? await examinePlane(config, 'sandbox', sandbox, isStopped) : [];
  const ofProduction = production && !hasFailed ? await examinePlane(config, 'production', production, isStopped) : [];
  const ofConsole = console && !hasFailed ? await runCheck(() => examineConsole(config, console)) : [];
  const mail = await runCheck(() => checkMail(config));
  return printCheckResults(
    [...folder, ...reach, ...startChecks, ...ofPlane, ...ofProduction, ...ofConsole, ...mail],
    print,
  );
};

/** Returns the role that the settings describe. The other databases may be on another machine. */
function roleOf(
  config: Config,
  { sandbox, production, console }: Awaited<ReturnType<typeof resolveDatabases>>,
): Parameters<typeof check> {
  if (!config.databases || (sandbox && console)) return ['all', config, 'sandbox'];
  if (sandbox) return ['worker', config, 'sandbox'];
  return production ? ['worker', config, 'production'] : ['console', config, 'sandbox'];
}

const GIB = 1024 ** 3;

async function checkFolder({ dataDir, databases }: Config): Promise<CheckResult[]> {
  if (!existsSync(dataDir))
    return databases ? [] : [fail(`There is no data folder ${dataDir}.`, 'Set SLIPWAY_DATA_DIR to the data folder.')];
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const share = Math.round((bavail / blocks) * 100);
  const sentence = `${(free / GIB).toFixed(1)} GiB (${share} %) are free in the data folder.`;
  const fix = databases ? 'Make room.' : 'Free disk space: Postgres stops when the disk is full.';
  const disk = free < GIB / 4 ? fail(sentence, fix) : free < 2 * GIB || share < 5 ? warn(sentence, fix) : ok(sentence);
  const secrets = join(dataDir, 'secrets.json');
  const isOpen = existsSync(secrets) && (statSync(secrets).mode & 0o077) !== 0;
  return [disk, ...(isOpen ? [fail(`${secrets} can be read by others.`, `chmod 600 ${secrets}`)] : [])];
}

const LATE_S = 300;

async function examinePlane(
  config: Config,
  environment: Environment,
  url: string,
  isStopped: boolean,
): Promise<readonly CheckResult[]> {
  const role = 'slipway_worker';
  const found = await withDatabase({ url, role }, async (db) => [
    ...(await runCheck(async () => [checkClock(await readClock(db))])),
    ...(await runCheck(async () => checkQueue(await findQueueAge(db), await countWorkers(db), environment, isStopped))),
    ...(await runCheck(async () => checkPeppers(config, environment, await countByPepper(db)))),
  ]);
  return [
    ...found,
    ...(await runCheck(() =>
      checkCatalogue(environment === 'sandbox' ? "The sandbox's database" : "Production's database", url),
    )),
  ];
}

/**
 * Checks the clock: an assertion of the Console is valid for half a minute, and records go to partitions by a node's
 * own clock.
 */
function checkClock(databaseMs: number): CheckResult {
  const offS = Math.abs(nowMs() - databaseMs) / 1000;
  const sentence = `The clocks of this machine and of the database differ by ${offS.toFixed(1)} s.`;
  const fix = 'Synchronise both clocks with NTP.';
  return offS > 25 ? fail(sentence, fix) : offS > 2 ? warn(sentence, fix) : ok(sentence);
}

function checkQueue(
  ageS: number | undefined,
  workers: number,
  environment: Environment,
  isStopped: boolean,
): CheckResult[] {
  const sentence =
    ageS === undefined ? 'No delivery is due.' : `The oldest delivery has been due for ${Math.round(ageS)} s.`;
  const fix =
    workers === 0
      ? 'Start a worker.'
      : 'One slow receiver delays only its own deliveries. If deliveries to many receivers wait, start another worker.';
  const age = ageS !== undefined && ageS > LATE_S ? warn(sentence, fix) : ok(sentence);
  return [checkWorkers(workers, environment, isStopped), age];
}

function checkWorkers(workers: number, environment: Environment, isStopped: boolean): CheckResult {
  if (workers > 0) return ok(`Workers that are running: ${workers}.`);
  if (isStopped) return ok('No worker is running, because this installation is stopped.');
  return warn(
    `No worker of the ${environment} is running: no webhook is sent, and no job runs.`,
    `Run \`slipway-server worker --environment ${environment}\`, or start Slipway again if it runs in one process.`,
  );
}

async function checkPeppers(
  config: Config,
  environment: Environment,
  counts: readonly { version: number; keys: number }[],
): Promise<CheckResult[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  if (!secrets.pepper) return [];
  const { keys } = readPeppers(rotation, secrets.pepper, environment);
  const lost = counts.filter(({ version }) => !keys[version]);
  if (lost.length === 0) return [ok('Every usable key has its pepper.')];
  return lost.map((row) =>
    fail(
      `${row.keys} keys cannot be verified: no setting contains pepper ${row.version}.`,
      `Add it to ${settingOf(environment, 'OTHER_PEPPERS')}.`,
    ),
  );
}

async function checkCatalogue(name: string, url: string): Promise<CheckResult[]> {
  const { long, astray, bytes } = await readCatalogue(url);
  const fix = 'See the symptoms in docs/operate/troubleshooting.md.';
  return [
    ok(`${name} uses ${(bytes / GIB).toFixed(2)} GiB.`),
    ...(long > 0
      ? [
          warn(
            `${long} transactions in the database have been open for more than five minutes.`,
            'pg_stat_activity lists them.',
          ),
        ]
      : []),
    ...astray.map((table) => warn(`${table} contains rows: a clock is wrong, or no worker ran for days.`, fix)),
  ];
}

async function examineConsole(config: Config, url: string): Promise<readonly CheckResult[]> {
  const found = await withDatabase({ url }, async (db) => {
    const failing = await findFailingMail(db);
    const hasNoOperator = config.operatorEmails.length === 0 && !(await hasOperators(db));
    return [
      ...(failing.messages > 0
        ? [warn(`${failing.messages} mails could not be sent yet: ${failing.reason}`, 'Slipway retries for 14 hours.')]
        : []),
      hasNoOperator
        ? warn('There is no operator.', 'Run `slipway-server create-operator`.')
        : ok('There is an operator.'),
    ];
  });
  return [...found, ...(await checkCatalogue("The Console's database", url))];
}

async function checkMail({ mail }: Config): Promise<CheckResult[]> {
  if (!mail)
    return [warn('No mail server is set: messages stay in the outbox.', 'Set SLIPWAY_SMTP_URL and SLIPWAY_MAIL_FROM.')];
  const reason = await createSmtp(mail.smtp).tryOut();
  return [
    reason === undefined
      ? ok('The mail server accepts messages.')
      : fail(`The mail server accepts no messages: ${reason}`, 'Check SLIPWAY_SMTP_URL.'),
  ];
}
