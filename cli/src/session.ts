// Opens the Console's API with a token, and resolves organisation and app of a command.
import { type App, createManagement, type ManagementClient, type ManagementOptions } from '@slipway/sdk/management';
import { DEFAULT_CONSOLE_URL, type Settings } from './config.ts';
import { printingFetch } from './curl.ts';
import { AuthenticationError, type Peer, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findProfile, type NamedObject, type Profile, readProfiles } from './profile.ts';
import { retryNotice } from './retry-notice.ts';
import { escapeText } from './text.ts';

export type Environment = NonNullable<ManagementOptions['environment']>;

/** Options that every command takes. */
export interface CommonOptions {
  profile: string | undefined;
  app: string | undefined;
  environment: Environment;
  isDryRun: boolean;
}

export interface Session {
  consoleUrl: string;
  environment: Environment;
  /** Undefined if the token came from the environment. */
  profile: [string, Profile] | undefined;
  /** Calls the operations of the command. In a dry run it prints the calls instead. */
  api: ManagementClient;
  /** Reads what the command needs beforehand, also in a dry run. */
  lookup: ManagementClient;
  organisation(): Promise<NamedObject>;
  app(): Promise<NamedObject>;
}

const LOGIN = 'sign in with `slipway login`, or set SLIPWAY_TOKEN';

export const consolePeer = (url: string): Peer => ({
  name: 'a Console',
  url,
  fix: 'set its address with `slipway login --console-url`.',
});

/** Throws if the text is not an access token. `fetch` would print a header that it cannot send. */
export function requireToken(token: string): string {
  if (!/^slp_[!-~]+$/.test(token)) throw new AuthenticationError('an access token must begin with slp_.');
  return token;
}

export function openSession(io: Io, settings: Settings, common: CommonOptions): Session {
  const profiles = readProfiles(settings.configFile, (text) => io.err(`slipway: ${text}\n`));
  const found = findProfile(profiles, common.profile ?? settings.profile);
  // A token of a profile is sent only to the Console of that profile.
  const isOwn = settings.token === undefined || common.profile !== undefined;
  const profile = isOwn ? found : undefined;
  const token = profile?.[1].token ?? settings.token;
  if (token === undefined) throw new AuthenticationError(`you are not signed in: ${LOGIN}.`);
  const consoleUrl = profile?.[1].consoleUrl ?? settings.consoleUrl ?? found?.[1].consoleUrl ?? DEFAULT_CONSOLE_URL;
  const { environment } = common;
  const options = { baseUrl: consoleUrl, token: requireToken(token), environment, onRetry: retryNotice(io) };
  const lookup = createManagement(options);
  const printing = { ...options, fetch: printingFetch(io.out, 'SLIPWAY_TOKEN'), maxRetries: 0 };
  const organisation = once(async () => {
    if (environment === 'production') await requireProduction(lookup);
    return profile?.[1].organisation ?? organisationOf(lookup);
  });
  const wanted = common.app ?? settings.app;
  async function app(): Promise<NamedObject> {
    const chosen = wanted === undefined ? profile?.[1].app : undefined;
    if (chosen && environment === 'sandbox') return chosen;
    // In production the app has the same name and another identifier.
    return findApp(lookup, await organisation(), wanted ?? chosen?.name, environment);
  }
  return {
    consoleUrl,
    environment,
    profile,
    lookup,
    api: common.isDryRun ? createManagement(printing) : lookup,
    organisation,
    app: once(app),
  };
}

export const createLookup = (io: Io, { consoleUrl, token }: Profile): ManagementClient =>
  createManagement({ baseUrl: consoleUrl, token: requireToken(token), onRetry: retryNotice(io) });

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    cached ??= make();
    return cached;
  };
}

/**
 * Throws if the Console has no production environment. Its paths would be answered 404, which looks like a mistake of
 * the user.
 */
async function requireProduction(api: ManagementClient): Promise<void> {
  const { data } = await api.listEnvironments();
  if (!data.some(({ name }) => name === 'production')) throw new UsageError('this Console does not serve production.');
}

async function organisationOf(api: ManagementClient): Promise<NamedObject> {
  const { organisations } = await api.getCaller();
  const [own] = organisations;
  if (!own) throw new AuthenticationError('this token belongs to no organisation.');
  return { id: own.id, name: own.name };
}

/** Returns the app with this identifier or name; without either, the only app of the organisation. */
export async function findApp(
  api: ManagementClient,
  organisation: NamedObject,
  wanted: string | undefined,
  environment: Environment = 'sandbox',
): Promise<NamedObject> {
  if (wanted !== undefined && /^app_[0-9a-z]+$/.test(wanted)) {
    return namedApp(await api.getApp({ organisationId: organisation.id, appId: wanted }));
  }
  const apps: App[] = [];
  for await (const app of api.listApps({ organisationId: organisation.id, limit: 100 })) apps.push(app);
  const fitting = wanted === undefined ? apps : apps.filter(({ name }) => name === wanted);
  const [only] = fitting;
  if (only && fitting.length === 1) return namedApp(only);
  if (apps.length === 0) {
    const fix =
      environment === 'sandbox'
        ? 'create one with `slipway apps create --name NAME`'
        : 'request live access in the Console';
    throw new UsageError(`no app exists yet: ${fix}.`);
  }
  const list = apps.map(({ id, name }) => `\n  ${escapeText(`${id}  ${name}`)}`).join('');
  const fault =
    wanted === undefined
      ? 'choose an app: `slipway use APP` for all commands, or --app APP for one.'
      : `${fitting.length === 0 ? 'no app is' : 'more than one app is'} called ${escapeText(wanted)}.`;
  throw new UsageError(`${fault} Existing apps:${list}`);
}

const namedApp = ({ id, name }: App): NamedObject => ({ id, name });

/** Returns the line that a command prints before a change: environment, organisation and app. */
export async function describeTarget(session: Session, app: NamedObject | undefined): Promise<string> {
  const { name } = await session.organisation();
  return [
    session.environment,
    escapeText(name),
    ...(app ? [`${escapeText(app.name)} (${escapeText(app.id)})`] : []),
  ].join(' / ');
}
