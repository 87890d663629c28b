// Prints a request as code that can be pasted, with real line breaks, which a table cell cannot hold.
import type { RequestSnippets } from '@slipway/sdk/management';
import { type Call, type CommandSpec, option } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { printOne } from '../output.ts';
import { inertLines } from '../text.ts';

type Language = 'curl' | 'fetch' | 'sdk';

// A title is a comment of its language, so that it can be pasted with the code.
const TITLES: Readonly<Record<Language, string>> = {
  curl: '# curl, for a POSIX shell',
  fetch: '// fetch, for Node, as a module',
  sdk: '// The SDK, @slipway/sdk',
};

const isLanguage = (text: string): text is Language => Object.hasOwn(TITLES, text);

function language(text: string): Language {
  if (isLanguage(text)) return text;
  throw new UsageError(`there are ${Object.keys(TITLES).join(', ')}.`);
}

export const code: CommandSpec = {
  name: 'code',
  args: '<requestId>',
  summary: 'print it as curl, fetch and a call of the SDK',
  about: 'The key is in none of them: they read it from SLIPWAY_KEY.',
  options: [option('--as <curl|fetch|sdk>', 'this one alone, without its title', language)],
  async run({ io, form, args, options, session }: Call) {
    const as = options.as as Language | undefined; // parsed by `language`
    if (as && form.json) throw new UsageError(`--as prints text: \`--json ${as}\` is the same in JSON.`);
    const { api, organisation, app } = await session();
    const at = { organisationId: (await organisation()).id, appId: (await app()).id };
    const snippets = await api.getRequestSnippets({ ...at, requestId: args.requestId ?? '' });
    if (form.json) return printOne(io, snippets, form);
    const text = as ? only(snippets, as) : all(snippets);
    // Escaped in a pipe too: a file is often shown on a terminal later.
    io.out(`${inertLines(text)}\n`);
    if (!snippets.isWhole) io.err('Not all of the request is kept: what it sent besides has to be added.\n');
  },
};

function only(snippets: RequestSnippets, as: Language): string {
  const text = snippets[as];
  if (text === null) throw new CommandError('the SDK has no method for this request: --as curl, or fetch.');
  return text;
}

function all(snippets: RequestSnippets): string {
  const languages = Object.keys(TITLES).filter(isLanguage);
  return languages.flatMap((one) => (snippets[one] === null ? [] : `${TITLES[one]}\n${snippets[one]}`)).join('\n\n');
}
