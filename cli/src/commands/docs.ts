// The documentation site, which the Console serves.
import { type CommandSpec, option } from '../command.ts';
import { DEFAULT_CONSOLE_URL } from '../config.ts';
import { UsageError } from '../errors.ts';
import { findProfile, readProfiles } from '../profile.ts';
import { escapeText } from '../text.ts';

export const docs: readonly CommandSpec[] = [
  {
    name: '',
    args: '[query]',
    summary: 'print the address of the documentation, and open it at a terminal',
    example: 'docs "rate limit"',
    about: 'With a query, the page opens with the search results.',
    isAlone: true,
    options: [
      option('--console-url <url>', `the address of the Console (${DEFAULT_CONSOLE_URL})`),
      option('--profile <name>', 'the profile whose Console serves the documentation'),
      option('--no-browser', 'open no browser'),
    ],
    async run({ io, settings, common, args, options }) {
      const profile = findProfile(readProfiles(settings.configFile), common.profile)?.[1];
      const given = options.consoleUrl ?? settings.consoleUrl ?? profile?.consoleUrl ?? DEFAULT_CONSOLE_URL;
      if (!URL.canParse(String(given)))
        throw new UsageError(`${escapeText(String(given))} must be an address, such as ${DEFAULT_CONSOLE_URL}.`);
      const address = new URL('/docs/', String(given));
      if (args.query !== undefined) address.searchParams.set('q', args.query);
      io.out(`${address.href}\n`);
      if (io.isTerminal && options.browser !== false) io.openBrowser(address.href);
    },
  },
];
