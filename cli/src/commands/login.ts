// Signs in with a device code or an access token, and signs out.
import { createManagement } from '@slipway/sdk/management';
import { type CommandSpec, type Invocation, option } from '../command.ts';
import { DEFAULT_CONSOLE_URL } from '../config.ts';
import { logInByCode } from '../device-login.ts';
import { AuthenticationError, CancellationError, UsageError } from '../errors.ts';
import { findProfile, nameFor, type Profile, readProfiles, writeProfiles } from '../profile.ts';
import { retryNotice } from '../retry-notice.ts';
import { consolePeer, requireToken } from '../session.ts';
import { escapeText } from '../text.ts';

const CONSOLE_URL = option('--console-url <url>', `address of the Console (${DEFAULT_CONSOLE_URL})`);

export const login: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'sign in with a device code or an access token',
    example: 'login --console-url https://console.example.org',
    about:
      'Shows a code, which you type into the Console. The access token that you approve there is stored in a file that only\nyou can read. To use a token from the page Team and access tokens, pass it with --with-token or in SLIPWAY_TOKEN.',
    isAlone: true,
    options: [
      CONSOLE_URL,
      option('--with-token', 'read an access token from standard input, or ask for it'),
      option('--no-browser', 'do not open a browser'),
      option('--profile <name>', 'name of the profile (name of the organisation)'),
      option('--insecure', 'allow plain http to another machine'),
    ],
    async run(call) {
      const { io, settings, options } = call;
      const consoleUrl = addressOf(String(options.consoleUrl ?? settings.consoleUrl ?? DEFAULT_CONSOLE_URL), options);
      call.expect(consolePeer(consoleUrl));
      const token = requireToken(await readToken(call, consoleUrl));
      const api = createManagement({ baseUrl: consoleUrl, token, onRetry: retryNotice(io) });
      const { email, accessToken, organisations } = await api.getCaller();
      const [organisation] = organisations;
      if (!organisation || !accessToken) throw new AuthenticationError('this token belongs to no organisation.');
      const { data: apps } = await api.listApps({ organisationId: organisation.id, limit: 2 });
      const [app] = apps;
      const { data: environments } = await api.listEnvironments();
      const profile: Profile = {
        consoleUrl,
        token,
        organisation: { id: organisation.id, name: organisation.name },
        ...(app && apps.length === 1 && { app: { id: app.id, name: app.name } }),
        apiUrls: Object.fromEntries(environments.filter(hasAddress).map(({ name, apiUrl }) => [name, apiUrl])),
      };
      const profiles = readProfiles(settings.configFile);
      const name = typeof options.profile === 'string' ? options.profile : nameFor(profiles, profile);
      writeProfiles(settings.configFile, { current: name, all: { ...profiles.all, [name]: profile } });
      io.err(
        `Signed in to ${consoleUrl} as ${escapeText(email)}, in ${escapeText(organisation.name)} (profile ${escapeText(name)}).\n`,
      );
      io.err(
        `Access of the token: ${accessToken.scope === 'read' ? 'Read only' : 'Read and change'}, until ${escapeText(accessToken.expiresAt)}.\n`,
      );
      if (apps.length > 1) io.err('Select an app with `slipway use APP`.\n');
    },
  },
];

export const logout: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'sign out: remove a profile',
    example: 'logout',
    isAlone: true,
    options: [option('--profile <name>', 'profile to remove (the current one)')],
    async run({ io, settings, options }) {
      const profiles = readProfiles(settings.configFile);
      const found = findProfile(profiles, (options.profile as string | undefined) ?? settings.profile); // the option takes text
      if (!found) throw new AuthenticationError('you are not signed in.');
      const [name, { consoleUrl, organisation }] = found;
      const { [name]: _gone, ...all } = profiles.all;
      const current = profiles.current === name ? Object.keys(all)[0] : profiles.current;
      writeProfiles(settings.configFile, { current, all });
      io.err(
        `Removed the profile ${escapeText(name)}. Its token stays valid until you revoke it:\n  ${tokensPage(consoleUrl, organisation.id)}\n`,
      );
    },
  },
];

const hasAddress = ({ apiUrl }: { apiUrl: string }): boolean => /^https?:\/\/[!-~]+$/.test(apiUrl);

const tokensPage = (consoleUrl: string, organisationId: string): string =>
  `${consoleUrl}/organisations/${organisationId}/team`;

function addressOf(text: string, { insecure }: Invocation['options']): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '') {
    throw new UsageError(`--console-url must be a URL such as https://console.example.org, not ${escapeText(text)}.`);
  }
  const isNear = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isNear && insecure !== true) {
    throw new UsageError(`this would send your token to ${url.host} unencrypted: use https or --insecure.`);
  }
  return url.href.replace(/\/+$/, '');
}

async function readToken({ io, settings, options }: Invocation, consoleUrl: string): Promise<string> {
  if (options.withToken !== true && settings.token !== undefined) return settings.token;
  if (options.withToken === true && !io.canAsk) return (await io.readAll()).toString('utf8').trim();
  if (!io.canAsk) {
    throw new AuthenticationError('a device code requires a terminal: pipe a token into `slipway login --with-token`.');
  }
  if (options.withToken !== true) return logInByCode(io, consoleUrl, options.browser !== false);
  io.err(
    `Create an access token in the Console (menu of the organisation, Team and access tokens):\n  ${consoleUrl}/organisations\n`,
  );
  const answer = await io.ask('Access token: ', { isHidden: true });
  if (!answer) throw new CancellationError();
  return answer.trim();
}
