// The settings that both environments have, under two prefixes, so that one description applies to both.
import type { Environment } from '../access/authority/index.ts';

export interface Setting {
  meaning: string;
  /** A remark for the table that may not be true for a role that runs alone. */
  remark?: string;
  /** The default in the form of the table; undefined without one. */
  default?: string;
}

interface EnvironmentTexts {
  /** `sandbox` or `production`. */
  plane: Environment;
  /** The possessive form of its name. */
  of: string;
  port: number;
  /** True if secrets are generated, as in one process. Production never runs in one process. */
  isGenerated: boolean;
}

const generatedRemark = ({ isGenerated }: EnvironmentTexts, remark: string): Pick<Setting, 'remark'> =>
  isGenerated ? { remark } : {};

const PLANE = {
  API_PORT: ({ of, port }) => ({ meaning: `The port of ${of} API.`, default: String(port) }),
  MANAGEMENT_PORT: ({ of, port }) => ({
    meaning: `The port of ${of} private management listener, if the API runs as a process of its own.`,
    default: String(port + 1),
  }),
  API_URL: ({ of, port }) => ({
    meaning: `The public address of ${of} API, without /v1.`,
    default: `http://localhost:${port}`,
  }),
  RATE_PER_SECOND: ({ plane }) => ({
    meaning: `Requests per second that each key of the ${plane} environment may send.`,
    default: '100',
  }),
  RATE_BURST: () => ({ meaning: 'Size of the token bucket of each key: the requests of a burst.', default: '200' }),
  MAX_KEY_LIFETIME_DAYS: ({ plane }) => ({
    meaning: `Longest lifetime of a key of the ${plane} environment in days, at most 30.`,
    default: '30',
  }),
  STATUS_LEASE_MINUTES: ({ plane }) => ({
    meaning: `Minutes for which the ${plane} environment continues without a Console that confirms the status of organisations. Afterwards every call is answered 503. At most 1440.`,
    default: '15',
  }),
  REQUEST_RETENTION_DAYS: () => ({ meaning: 'Days for which request records are kept.', default: '30' }),
  RECORDS: () => ({
    meaning:
      '`durable`: a response waits until PostgreSQL has its request record on disk, and on a synchronous standby if there is one; without its record it is replaced by 503. `fast`: a failover or a crash of the database’s host can lose the records of the last fraction of a second.',
    default: 'fast',
  }),
  EVENT_RETENTION_DAYS: () => ({
    meaning: 'Days for which events, their deliveries and attempts are kept.',
    default: '90',
  }),
  HELD_DELIVERY_MAX_AGE_DAYS: () => ({
    meaning: 'Days after which a held delivery is cancelled; at most the retention of events.',
    default: '30',
  }),
  REVOCATION_JOURNAL: ({ plane }) => ({
    meaning: `A file outside the database to which one worker of the ${plane} environment writes removed access, for \`slipway-server reopen --journal\`.`,
    default: 'none',
  }),
  EVENT_SCOPES: () => ({
    meaning: `\`enforced\` switches every app to the rule that an event needs the grant of its resource’s scope; \`announced\` waits for the announced day.`,
    default: 'announced',
  }),
  DATABASE_URL: (words) => ({
    meaning: `${words.plane === 'sandbox' ? "The sandbox's" : "Production's"} Postgres (15 or later), as the owner of its database. Several hosts are separated by commas; the primary is used.`,
    ...generatedRemark(words, 'Without it an embedded Postgres is started.'),
  }),
  PEPPER: (words) => ({
    meaning: 'At least 32 characters; keys are verified under it.',
    ...generatedRemark(words, 'Generated if everything runs in one process.'),
  }),
  PEPPER_VERSION: () => ({
    meaning: 'Version of the pepper; each rotation increments it.',
    default: '1',
  }),
  OTHER_PEPPERS: () => ({
    meaning: 'Further peppers under which keys are verified during a rotation, as `1:<pepper>,2:<pepper>`.',
    default: 'none',
  }),
  MASTER_KEY: (words) => ({
    meaning: '32 bytes in base64; seals signing secrets.',
    ...generatedRemark(words, 'Generated in the same way.'),
  }),
  MASTER_KEY_VERSION: () => ({
    meaning: 'Version of the master key; each rotation increments it.',
    default: '1',
  }),
  OTHER_MASTER_KEYS: () => ({
    meaning: 'Further master keys that open sealed values during a rotation, as `1:<key>,2:<key>`.',
    default: 'none',
  }),
  MANAGEMENT_KEY: (words) => ({
    meaning: `At least 32 characters, shared by the Console and ${words.of} API; signs the Console's requests.`,
    ...generatedRemark(words, 'Generated in the same way.'),
  }),
  MANAGEMENT_URL: ({ of }) => ({ meaning: `Address at which the Console reaches ${of} management listener.` }),
} as const satisfies Record<string, (words: EnvironmentTexts) => Setting>;

/** Additional settings of production, whose requests are forwarded to an upstream API (docs/operate/production.md). */
const UPSTREAM = {
  UPSTREAM_URL: {
    meaning: 'Base address of your API, before /v1, to which requests are forwarded. https, except on this machine.',
  },
  IDENTITY_KEY: {
    meaning: 'At least 32 characters, shared with that API; signs the identity tokens of calls.',
  },
  INGEST_KEY: {
    meaning: 'At least 32 characters; credential of that API when it reports events and installations.',
  },
} as const satisfies Record<string, Setting>;

/** Settings of captures, which production does not have. */
const CAPTURES = {
  CAPTURE_BODIES: {
    meaning:
      '`forbidden`: no app can store the headers and bodies of its requests, and a worker destroys stored ones within a minute. `allowed`: each app decides.',
    default: 'allowed',
  },
  CAPTURE_RETENTION_HOURS: {
    meaning:
      'Hours for which headers and bodies can be read, from 2 to 168. The hour in which a request was made counts as a whole.',
    default: '24',
  },
} as const satisfies Record<string, Setting>;

export type PlaneSetting = keyof typeof PLANE;
type CaptureSetting = keyof typeof CAPTURES;
type UpstreamSetting = keyof typeof UPSTREAM;
export type SandboxSettingName = `SLIPWAY_SANDBOX_${PlaneSetting | CaptureSetting}`;
export type ProductionSettingName = `SLIPWAY_PRODUCTION_${PlaneSetting | UpstreamSetting}`;

const PREFIX = { sandbox: 'SLIPWAY_SANDBOX_', production: 'SLIPWAY_PRODUCTION_' } as const;

export function settingOf(environment: Environment, name: PlaneSetting): SandboxSettingName | ProductionSettingName {
  return `${PREFIX[environment]}${name}`;
}

export function captureSetting(name: CaptureSetting): SandboxSettingName {
  return `${PREFIX.sandbox}${name}`;
}

export function upstreamSetting(name: UpstreamSetting): ProductionSettingName {
  return `${PREFIX.production}${name}`;
}

function tableOf(words: EnvironmentTexts): Record<string, Setting> {
  const named = Object.entries(PLANE).map(([name, of]) => [`${PREFIX[words.plane]}${name}`, of(words)]);
  return Object.fromEntries(named) as Record<string, Setting>; // entries of the table above
}

const withPrefix = (prefix: string, settings: Readonly<Record<string, Setting>>): Record<string, Setting> =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [`${prefix}${name}`, setting]));

export const SANDBOX_SETTINGS = {
  ...tableOf({ plane: 'sandbox', of: "the sandbox's", port: 4000, isGenerated: true }),
  ...withPrefix(PREFIX.sandbox, CAPTURES),
} as Record<SandboxSettingName, Setting>; // Object.fromEntries loses the names

export const PRODUCTION_SETTINGS = {
  ...tableOf({ plane: 'production', of: "production's", port: 4100, isGenerated: false }),
  ...withPrefix(PREFIX.production, UPSTREAM),
} as Record<ProductionSettingName, Setting>; // as above

/** Credentials that let a process act as an environment or read its data. No other process may have them. */
export const CREDENTIALS = ['DATABASE_URL', 'PEPPER', 'OTHER_PEPPERS', 'MASTER_KEY', 'OTHER_MASTER_KEYS'] as const;
export const UPSTREAM_CREDENTIALS = ['IDENTITY_KEY', 'INGEST_KEY'] as const;
