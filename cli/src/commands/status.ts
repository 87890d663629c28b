// Shows the current environment, organisation, app and user, and chooses another organisation or app.
import { type CommandSpec, option } from '../command.ts';
import { AuthenticationError, UsageError } from '../errors.ts';
import { printOne } from '../output.ts';
import { findProfile, readProfiles, writeProfiles } from '../profile.ts';
import { consolePeer, createLookup, findApp } from '../session.ts';
import { escapeText } from '../text.ts';

export const whoami: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'show the signed-in user and the access token',
    example: 'whoami',
    async run({ io, form, session }) {
      printOne(io, await (await session()).api.getCaller(), form);
    },
  },
];

export const status: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'show environment, organisation and app',
    example: 'status',
    async run({ io, form, session }) {
      const { api, consoleUrl, environment, profile, organisation, app } = await session();
      const { email, accessToken, organisations } = await api.getCaller();
      const { id, name } = await organisation();
      const chosen = await app().catch((error: unknown) => {
        if (error instanceof UsageError) return undefined; // no app is chosen yet
        throw error;
      });
      const value = {
        environment,
        organisation: organisations[0]?.name ?? name,
        organisationId: id,
        app: chosen?.name ?? null,
        appId: chosen?.id ?? null,
        console: consoleUrl,
        profile: profile?.[0] ?? null,
        signedInAs: email,
        role: organisations[0]?.role ?? null,
        tokenMay: accessToken?.scope ?? null,
        tokenExpiresAt: accessToken?.expiresAt ?? null,
      };
      printOne(io, value, form);
    },
  },
];

export const use: readonly CommandSpec[] = [
  {
    name: '',
    args: '[app]',
    summary: 'select organisation and app',
    example: 'use "My app"',
    about:
      'An access token belongs to one organisation: sign in once for each organisation, then switch between profiles.',
    isAlone: true,
    options: [
      option('--organisation <organisation>', 'organisation to use, by identifier or name'),
      option('--profile <name>', 'profile to use'),
    ],
    async run({ io, settings, common, args, options, expect }) {
      const profiles = readProfiles(settings.configFile);
      const wanted = options.organisation;
      const fitting = Object.entries(profiles.all).find(
        ([, { organisation }]) => organisation.id === wanted || organisation.name === wanted,
      );
      if (typeof wanted === 'string' && !fitting) {
        const names = Object.values(profiles.all).map(({ organisation }) => escapeText(organisation.name));
        throw new UsageError(
          `no profile for ${escapeText(wanted)}; existing profiles: ${names.join(', ') || 'none'}. Sign in first.`,
        );
      }
      const found = wanted === undefined ? findProfile(profiles, common.profile) : fitting;
      if (!found) throw new AuthenticationError('no profile exists yet: run `slipway login` first.');
      const [name, profile] = found;
      let chosen = profile;
      if (args.app !== undefined || (wanted === undefined && common.profile === undefined)) {
        expect(consolePeer(profile.consoleUrl));
        chosen = { ...profile, app: await findApp(createLookup(io, profile), profile.organisation, args.app) };
      }
      writeProfiles(settings.configFile, { current: name, all: { ...profiles.all, [name]: chosen } });
      io.err(
        `sandbox / ${escapeText(chosen.organisation.name)} / ${escapeText(chosen.app?.name ?? 'no app chosen')} (profile ${escapeText(name)})\n`,
      );
    },
  },
];
