// The table of settings with their meanings and defaults. docs/reference/settings.md is generated from it.

import {
  PRODUCTION_SETTINGS,
  type ProductionSettingName,
  SANDBOX_SETTINGS,
  type SandboxSettingName,
  type Setting,
} from './plane-settings.ts';

export const GENERAL = {
  SLIPWAY_DATA_DIR: {
    meaning: 'Where the embedded Postgres, generated secrets and the first-run note are kept.',
    default: '.slipway',
  },
  SLIPWAY_HOST: { meaning: 'The address that the listeners bind to.', default: '127.0.0.1' },
  SLIPWAY_CONTRACT: {
    meaning:
      'Folder of the contract that sandbox and production serve (docs/operate/contracts.md). All processes of an installation need the same contract.',
    default: 'the contract community',
  },
  SLIPWAY_CONSOLE_PORT: { meaning: "The Console's port.", default: '3000' },
  SLIPWAY_DEMO_RECEIVER_PORT: { meaning: "The port of the demo's webhook receiver.", default: '4020' },
  SLIPWAY_DEMO: { meaning: '`on` seeds a demo organisation at the first start and runs its receiver.', default: 'on' },
  SLIPWAY_DEMO_RECEIVER_URL: {
    meaning:
      'Address of a receiver that shows received messages and accepts webhooks at `/hooks`. The Console offers it on the first page of an app; without it, the page asks for a receiver.',
    default: "the demo's, if everything runs in one process",
  },
  SLIPWAY_OWNER_EMAIL: { meaning: 'The e-mail address of the first owner.', default: 'owner@slipway.local' },
  SLIPWAY_OPERATOR_EMAILS: {
    meaning: 'E-mail addresses of further operators, separated by commas.',
  },
  SLIPWAY_CONSOLE_URL: {
    meaning:
      'Public address of the Console. https, except on this machine. An API process links its pages to the documentation there.',
    default: 'http://localhost:3000',
  },
  SLIPWAY_CLIENT_ADDRESSES: {
    meaning:
      'Part of a caller’s address that request records and uses of keys store: `whole`, `network` (24 bits of IPv4, 48 of IPv6) or `none`.',
    default: 'whole',
  },
  SLIPWAY_TRUSTED_PROXIES: {
    meaning:
      'Addresses (CIDR, separated by commas) of proxies whose X-Forwarded-For is believed. Required behind a proxy: otherwise all callers count as one address.',
    default: 'none',
  },
  SLIPWAY_MONITORING_PORT: {
    meaning: 'The port of /livez, /readyz and /metrics, or `off`.',
    default: '4010; 4011 for `api`, 4012 for `worker`, 4013 for `console`',
  },
  SLIPWAY_MONITORING_HOST: {
    meaning: 'The address of the monitoring listener, which has no authentication.',
    default: '127.0.0.1',
  },
  SLIPWAY_SHUTDOWN_DELAY_SECONDS: {
    meaning:
      'Seconds for which a process that stops continues to serve while /readyz answers 503: the time that a load balancer needs to notice.',
    default: '0',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'Address of an OpenTelemetry collector, such as `http://collector:4318`; `/v1/traces` is added.',
    default: 'none: no traces',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { meaning: 'The complete address; nothing is added.' },
  OTEL_EXPORTER_OTLP_PROTOCOL: { meaning: '`http/protobuf` or `http/json`.', default: 'http/protobuf' },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { meaning: 'The same for traces only.' },
  OTEL_SERVICE_NAME: { meaning: 'Name of the process in traces.', default: 'slipway-<role>' },
  OTEL_TRACES_SAMPLER: {
    meaning:
      'Sampler: `always_on`, `always_off` or `traceidratio`; with the prefix `parentbased_` one of Slipway’s processes decides for all.',
    default: 'parentbased_always_on',
  },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'The share that `traceidratio` keeps, from 0 to 1.', default: '1' },
  OTEL_TRACES_EXPORTER: { meaning: '`otlp`, or `none` for no traces.', default: 'otlp' },
  OTEL_SDK_DISABLED: { meaning: '`true` switches traces off.', default: 'false' },
  SLIPWAY_CONSOLE_DATABASE_URL: {
    meaning: "The Console's Postgres. Several hosts are separated by commas; the primary is used.",
    remark: "Required together with the sandbox's.",
  },
  SLIPWAY_CONSOLE_SECRET: {
    meaning:
      'At least 32 characters; signs session cookies, and encrypts the addresses and secrets of destinations of notices.',
    remark: 'Generated in the same way.',
  },
  SLIPWAY_GITHUB_KEYS: {
    meaning:
      "GitHub's list of public keys for secret scanning, as JSON. Required to accept GitHub's reports of leaked keys.",
    default: 'none',
  },
  SLIPWAY_SMTP_URL: {
    meaning: 'The mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://...`.',
    remark: 'Without it mails stay in the outbox, where an operator reads them.',
  },
  SLIPWAY_MAIL_FROM: {
    meaning: 'The sender of mails, as `Slipway <slipway@example.org>`; required together with `SLIPWAY_SMTP_URL`.',
  },
  SLIPWAY_OIDC_ISSUER: {
    meaning: 'Issuer of an OpenID Connect provider for sign-in. https, except on this machine.',
  },
  SLIPWAY_OIDC_CLIENT_ID: {
    meaning: 'Client identifier at the provider; the redirect address is `/sign-in/provider`.',
  },
  SLIPWAY_OIDC_CLIENT_SECRET: { meaning: 'Client secret at the provider.' },
  SLIPWAY_OIDC_NAME: { meaning: 'Name of the provider on the sign-in page.', default: 'Single sign-on' },
  SLIPWAY_WEBHOOK_ALLOW_HOSTS: {
    meaning: 'For local development: host:port pairs on loopback that webhooks may reach over plain http.',
    default: "the demo's receiver",
  },
  SLIPWAY_WEBHOOK_ALLOW_CIDRS: { meaning: 'Private addresses (CIDR) that webhooks may reach.', default: 'none' },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof GENERAL | SandboxSettingName | ProductionSettingName;

export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  ...GENERAL,
  ...SANDBOX_SETTINGS,
  ...PRODUCTION_SETTINGS,
};

/**
 * The roles that read a setting, by the first pattern that fits. One process with Console and sandbox reads all but
 * those of production.
 */
const READ_BY: readonly (readonly [pattern: RegExp, roles: string])[] = [
  [/_DATA_DIR$/, 'one process, console, commands'],
  [/^SLIPWAY_DEMO_RECEIVER_URL$/, 'console'],
  [/^SLIPWAY_DEMO/, 'one process'],
  [/_CONSOLE_URL$/, 'console, api'],
  [
    /_(?:CONSOLE_PORT|OWNER_EMAIL|OPERATOR_EMAILS|CONSOLE_DATABASE_URL|CONSOLE_SECRET|SMTP_URL|MAIL_FROM|MANAGEMENT_URL)$/,
    'console',
  ],
  [/_OIDC_/, 'console'],
  [/_(?:HOST|CONTRACT|MONITORING_PORT|MONITORING_HOST|SHUTDOWN_DELAY_SECONDS)$|^OTEL_/, 'all'],
  [/_TRUSTED_PROXIES$/, 'api, console'],
  [
    /_(?:CLIENT_ADDRESSES|GITHUB_KEYS|API_PORT|MANAGEMENT_PORT|RATE_PER_SECOND|RATE_BURST|MAX_KEY_LIFETIME_DAYS|RECORDS)$/,
    'api',
  ],
  [/_(?:UPSTREAM_URL|IDENTITY_KEY|INGEST_KEY)$/, 'api'],
  [/_(?:REQUEST|EVENT)_RETENTION_DAYS$|_HELD_DELIVERY_MAX_AGE_DAYS$|_REVOCATION_JOURNAL$|_EVENT_SCOPES$/, 'worker'],
  [/_CAPTURE_BODIES$/, 'api, worker'],
  [/_CAPTURE_RETENTION_HOURS$/, 'api'],
  [/_API_URL$|_MANAGEMENT_KEY$/, 'api, worker, console'],
  [
    /_(?:DATABASE_URL|PEPPER|PEPPER_VERSION|OTHER_PEPPERS|MASTER_KEY|MASTER_KEY_VERSION|OTHER_MASTER_KEYS|STATUS_LEASE_MINUTES)$/,
    'api, worker',
  ],
  [/_WEBHOOK_ALLOW_/, 'api, worker, console'],
];

/** Returns the roles that read the setting, or undefined for a setting without a row in the table. */
export const rolesOf = (name: string): string | undefined => READ_BY.find(([pattern]) => pattern.test(name))?.[1];
