// The table of settings with their meanings and defaults. The README's table is generated from it.

import {
  PRODUCTION_SETTINGS,
  type ProductionSettingName,
  SANDBOX_SETTINGS,
  type SandboxSettingName,
  type Setting,
} from './plane-settings.ts';

export type { Setting } from './plane-settings.ts';

const GENERAL = {
  SLIPWAY_DATA_DIR: {
    meaning: 'Where the embedded Postgres, generated secrets and the first-run note are kept.',
    default: '.slipway',
  },
  SLIPWAY_HOST: { meaning: 'The address that the listeners bind to.', default: '127.0.0.1' },
  SLIPWAY_CONSOLE_PORT: { meaning: "The Console's port.", default: '3000' },
  SLIPWAY_DEMO_RECEIVER_PORT: { meaning: "The port of the demo's webhook receiver.", default: '4020' },
  SLIPWAY_DEMO: { meaning: '`on` seeds a demo organisation at the first start and runs its receiver.', default: 'on' },
  SLIPWAY_DEMO_RECEIVER_URL: {
    meaning:
      'For the Console: where a receiver shows people what it got, and takes webhooks at `/hooks`. It is offered to who begins; without one they are asked for their own.',
    default: "the demo's, where everything runs in one process",
  },
  SLIPWAY_OWNER_EMAIL: { meaning: 'The e-mail address of the first owner.', default: 'owner@slipway.local' },
  SLIPWAY_OPERATOR_EMAILS: {
    meaning: 'Addresses, separated by commas, whose people are operators beside the first owner.',
  },
  SLIPWAY_CONSOLE_URL: {
    meaning: 'The address that people type for the Console. https, except on this machine.',
    default: 'http://localhost:3000',
  },
  SLIPWAY_CLIENT_ADDRESSES: {
    meaning:
      'What records of requests and uses of keys keep of a caller’s address: `whole`, `network` (24 bits of IPv4, 48 of IPv6) or `none`.',
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
    meaning: 'The address that they listen on: whoever reaches it is told without being asked who they are.',
    default: '127.0.0.1',
  },
  SLIPWAY_SHUTDOWN_DELAY_SECONDS: {
    meaning:
      'How long a process still accepts requests after a shutdown signal, while /readyz answers 503. Set the time that a load balancer takes to notice.',
    default: '0',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'Where traces go: an OpenTelemetry collector, as `http://collector:4318`; `/v1/traces` is added.',
    default: 'none: there are no traces',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { meaning: 'The same, whole: nothing is added.' },
  OTEL_EXPORTER_OTLP_PROTOCOL: { meaning: '`http/protobuf` or `http/json`.', default: 'http/protobuf' },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { meaning: 'The same, of traces alone.' },
  OTEL_SERVICE_NAME: { meaning: 'What the process is called in traces.', default: 'slipway-<role>' },
  OTEL_TRACES_SAMPLER: {
    meaning:
      'Which traces are kept: `always_on`, `always_off` or `traceidratio`, with `parentbased_` before it where Slipway’s own processes decide together.',
    default: 'parentbased_always_on',
  },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'The share that `traceidratio` keeps, from 0 to 1.', default: '1' },
  OTEL_TRACES_EXPORTER: { meaning: '`otlp`, or `none` for no traces.', default: 'otlp' },
  OTEL_SDK_DISABLED: { meaning: '`true` for no traces, wherever they would go.', default: 'false' },
  SLIPWAY_CONSOLE_DATABASE_URL: { meaning: "The Console's Postgres.", remark: "Goes together with the sandbox's." },
  SLIPWAY_CONSOLE_SECRET: { meaning: 'At least 32 characters; signs session cookies.', remark: 'Generated likewise.' },
  SLIPWAY_GITHUB_KEYS: {
    meaning:
      "GitHub's list of public keys for secret scanning, as JSON: with it GitHub's reports of leaked keys are taken.",
    default: 'none',
  },
  SLIPWAY_SMTP_URL: {
    meaning: 'The mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://...`.',
    remark: 'Without it messages stay in the outbox, which the operator reads.',
  },
  SLIPWAY_MAIL_FROM: { meaning: 'The sender of mails, as `Slipway <slipway@example.org>`; needed with the one above.' },
  SLIPWAY_OIDC_ISSUER: {
    meaning: 'The issuer of an OpenID Connect provider that people may sign in with. https, except on this machine.',
  },
  SLIPWAY_OIDC_CLIENT_ID: { meaning: 'What Slipway is called there; its redirect address is `/sign-in/provider`.' },
  SLIPWAY_OIDC_CLIENT_SECRET: { meaning: 'What it proves that with.' },
  SLIPWAY_OIDC_NAME: { meaning: 'How people know the provider.', default: 'Single sign-on' },
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

/** Returns the README's table. */
export function settingsTable(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(
    ([name, { meaning, remark, default: preset }]) =>
      `| \`${name}\` | ${remark ? `${meaning} ${remark}` : meaning} | ${preset ? `\`${preset}\`` : ''} |`,
  );
  return ['| setting | meaning | default |', '| --- | --- | --- |', ...rows].join('\n');
}
