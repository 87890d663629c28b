// Opens the foundations of the Console in its process: its database, the identity library, mail, and its first owner.
import { createHmac } from 'node:crypto';
import { type Config, isLoopbackUrl } from '../config/config.ts';
import { askPlanes, type PlaneConnection } from '../governance/environments/index.ts';
import {
  type FirstRun,
  findFact,
  firstRunBlock,
  type NewDemo,
  removeNote,
  setFact,
  writeNote,
} from '../governance/first-run/index.ts';
import { startLiveAccessReports } from '../governance/live-access/index.ts';
import { startMessages } from '../governance/notice-destinations/index.ts';
import { startNoticeMail } from '../governance/notice-mail/index.ts';
import { insertOperator, isOperator } from '../governance/operators/index.ts';
import { startOrganisationStatusReports } from '../governance/organisation-status/index.ts';
import { announceLeases, announceReported, startStatusLease } from '../governance/status-lease/index.ts';
import { startLinks } from '../identity/accounts/index.ts';
import { type ConsoleServices, claimLegacyLinks, createIdentity, startRemovals } from '../identity/sessions/index.ts';
import type { MasterKeys } from '../kit/crypto/seal.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';
import { type Database, openDatabase, openPool, type PoolUse, poolUse } from '../kit/db/db.ts';
import { createOidcClient } from '../kit/outbound/oidc.ts';
import { createOutboundClient, type OutboundClient, refuseUrl } from '../kit/outbound/outbound.ts';
import { createSmtp } from '../kit/outbound/smtp.ts';
import { type Log, printOutput } from '../kit/telemetry/log.ts';
import { startMail } from '../platform/mail/index.ts';
import { findConsoleGate } from '../platform/restore-gate/index.ts';
import { type GateWatch, watchGate } from './gate-watch.ts';
import { type Job, type JobReports, reportFailure, startJobs } from './jobs.ts';
import { outboundRulesOf } from './outbound-rules.ts';
import { databaseErrors, type Lifetime, migrateDatabase, requireConnection } from './process.ts';

export interface ConsoleRuntime {
  provider: ConsoleServices['provider'];
  db: Database;
  identity: ConsoleServices['identity'];
  cursorKey: Secret;
  destinations: ConsoleServices['destinations'];
  gate: GateWatch;
  /** Returns the use of the connection pools, for monitoring. */
  pools(): Record<string, PoolUse>;
}

/** Jobs that need no plane. */
const DATABASE_JOBS: readonly Job<{ db: Database; identity: ConsoleServices['identity']; config: Config }>[] = [
  {
    name: 'mail',
    start: ({ db, config: { mail } }, onError) =>
      startMail({ db, smtp: mail && createSmtp(mail.smtp), from: mail?.from ?? '', onError }),
  },
  {
    name: 'link-mail',
    start: ({ db, identity, config: { consoleUrl } }, onError) => startLinks({ db, identity, consoleUrl, onError }),
  },
  {
    name: 'second-factor-removals',
    start: ({ db, config: { consoleUrl } }, onError) => startRemovals({ db, consoleUrl }, onError),
  },
];

export async function openConsoleDatabase(
  config: Config,
  url: string,
  secrets: { consoleSecret: Secret },
  reports: JobReports,
  lifetime: Lifetime,
): Promise<ConsoleRuntime> {
  const { log } = reports;
  await migrateDatabase('console', url, 'SLIPWAY_CONSOLE_DATABASE_URL');
  const onError = databaseErrors(log, lifetime);
  const options = { url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000, onError };
  const db = openDatabase(options);
  lifetime.onStop(() => db.close());
  await requireConnection(db, 'SLIPWAY_CONSOLE_DATABASE_URL');
  const pool = openPool(options);
  lifetime.onStop(() => pool.end());
  const identity = createIdentity({ pool, db, consoleUrl: config.consoleUrl, secret: secrets.consoleSecret });
  const gate = await watchGate(async () => (await findConsoleGate(db)) !== null, log, lifetime);
  await gate.whileOpen((jobs) => startJobs(DATABASE_JOBS, { db, identity, config }, reports, jobs), lifetime);
  if (config.oidc) await claimLegacyLinks(db, config.oidc.issuer);
  const keyFor = (purpose: string): Secret =>
    secret(createHmac('sha256', secrets.consoleSecret.reveal()).update(purpose).digest('base64'));
  const cursorKey = keyFor('slipway cursors');
  const destinations = {
    sealingKeys: { current: 'c1', keys: { c1: keyFor('slipway notice destinations') } },
    refuseUrl: (url: string) => refuseUrl(url, outboundRulesOf(config)),
  };
  const pools = (): Record<string, PoolUse> => ({ console: db.use(), identity: poolUse(pool) });
  return { db, identity, cursorKey, destinations, gate, pools, provider: openProvider(config, log, lifetime) };
}

type Services = Parameters<typeof startStatusLease>[0];

interface ConsoleContext {
  services: Services;
  lease: ReturnType<typeof startStatusLease>;
  connections: readonly PlaneConnection[];
  consoleUrl: string;
  outbound: OutboundClient;
  sealingKeys: MasterKeys;
}

const JOBS: readonly Job<ConsoleContext>[] = [
  {
    name: 'notice-mail',
    start: ({ services: { db }, connections, consoleUrl }, onError) =>
      startNoticeMail({ db, connections, consoleUrl }, onError),
  },
  {
    name: 'notice-messages',
    start: ({ services: { db }, outbound, sealingKeys }, onError) =>
      startMessages({ db, outbound, sealingKeys, onError }),
  },
  {
    name: 'organisation-status',
    start: ({ services, lease }, onError) =>
      startOrganisationStatusReports(services, onError, () => announceReported(services, lease)),
  },
];
const PRODUCTION_JOBS: readonly Job<ConsoleContext>[] = [
  {
    name: 'live-access',
    start: ({ services, lease }, onError) =>
      startLiveAccessReports(services, onError, () => announceReported(services, lease)),
  },
];

/**
 * Sends notices of these planes and reports the status of organisations to them, while the restore gate of the Console
 * is open.
 */
export function startConsoleJobs(
  config: Config,
  home: ConsoleRuntime,
  connections: readonly PlaneConnection[],
  reports: JobReports,
  lifetime: Lifetime,
): Promise<void> {
  return home.gate.whileOpen((jobs) => startAllJobs(config, home, connections, reports, jobs), lifetime);
}

async function startAllJobs(
  config: Config,
  { db, destinations: { sealingKeys } }: ConsoleRuntime,
  connections: readonly PlaneConnection[],
  reports: JobReports,
  lifetime: Lifetime,
): Promise<void> {
  const environments = connections.map(({ environment }) => ({ name: environment }));
  const services = { db, environments, askPlanes: askPlanes(connections) };
  const onLeaseError = reportFailure('status-lease', reports);
  // An installation that was down for longer than the lease becomes ready with this first lease.
  await announceLeases(services, onLeaseError);
  const lease = startStatusLease(services, onLeaseError);
  lifetime.onStop(() => lease.stop());
  const hasProduction = connections.some(({ environment }) => environment === 'production');
  const jobs = hasProduction ? [...JOBS, ...PRODUCTION_JOBS] : JOBS;
  const outbound = createOutboundClient(outboundRulesOf(config));
  lifetime.onStop(() => outbound.close());
  const { consoleUrl } = config;
  const context = { services, lease, connections, consoleUrl, outbound, sealingKeys };
  await startJobs(jobs, context, reports, lifetime);
}

// The operator configures the provider, so it may be in a private network. The same rules apply to the URLs that it
// names.
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

function openProvider(config: Config, log: Log, lifetime: Lifetime): ConsoleServices['provider'] {
  const { oidc, consoleUrl } = config;
  if (!oidc) return null;
  const { host, protocol } = new URL(oidc.issuer);
  const outbound = createOutboundClient({ allowHosts: protocol === 'http:' ? [host] : [], allowCidrs: PRIVATE });
  lifetime.onStop(() => outbound.close());
  return {
    name: oidc.name,
    client: createOidcClient(oidc, `${consoleUrl}/sign-in/provider`, outbound),
    onFailure: (error) =>
      log.error('identity_provider.sign_in_failed: A sign-in with the identity provider failed.', error),
  };
}

export interface FirstOwner {
  person: { id: string; email: string; name: string };
  hasSignedIn: boolean;
}

// A later start queries the database only, because the identity library loads slowly and is not needed yet.
export async function ensureOwner(home: ConsoleRuntime, config: Config): Promise<FirstOwner> {
  const known = await findFact<FirstOwner['person']>(home.db, 'owner');
  const person = known ?? (await home.identity.ensurePerson(config.ownerEmail, 'Owner'));
  if (!known) {
    await insertOperator(home.db, person.id);
    await setFact(home.db, 'owner', person);
  }
  return { person, hasSignedIn: (await findFact<boolean>(home.db, 'has_signed_in')) === true };
}

export function consoleServices(
  config: Config,
  home: ConsoleRuntime,
  environments: ConsoleServices['environments'],
): Omit<ConsoleServices, 'askPlanes' | 'onStatusChange' | 'streams' | 'deviceCodes'> {
  const { origin, protocol, port } = new URL(config.consoleUrl);
  const spellings = ['localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`);
  return {
    ...home,
    consoleUrl: config.consoleUrl,
    origins: isLoopbackUrl(config.consoleUrl) ? spellings : [origin],
    environments,
    sendsMail: config.mail !== undefined,
    isOperator: (person) => isOperator(home.db, config.operatorEmails, person),
    async onSignIn() {
      await removeNote(config.dataDir);
      await setFact(home.db, 'has_signed_in', true);
    },
  };
}

/** Logs that the installation is ready. Until the owner has signed in, also provides the owner's sign-in link. */
export async function announceStart(
  what: string,
  config: Config,
  home: ConsoleRuntime,
  demo: { receiverUrl: string; fresh: NewDemo | undefined } | undefined,
  log: Log,
): Promise<void> {
  const owner = await ensureOwner(home, config);
  if (owner.hasSignedIn) {
    log.info(`process.ready: ${what} is ready.`, {
      console: config.consoleUrl,
      sandbox: `${config.planes.sandbox.apiUrl}/v1`,
    });
    return;
  }
  const token = await home.identity.issueLink(owner.person);
  const run: FirstRun = {
    signInUrl: `${config.consoleUrl}/sign-in#link=${token.reveal()}`,
    apiUrl: config.planes.sandbox.apiUrl,
    receiverUrl: demo?.receiverUrl,
    demo: demo?.fresh,
  };
  if (process.stdout.isTTY) printOutput(firstRunBlock(run));
  else {
    const note = await writeNote(config.dataDir, run);
    log.info(`process.ready: ${what} is ready. The sign-in link is in a note that only you can read.`, { note });
  }
}
