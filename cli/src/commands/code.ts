// Prints a request as code that can be pasted, with real line breaks, which a table cell cannot hold.
import type { RequestSnippets } from '@slipway/sdk/management';
import { type CommandSpec, type Invocation, option } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { printOne } from '../output.ts';
import { escapeTextLines } from '../text.ts';

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
  throw new UsageError(`must be one of ${Object.keys(TITLES).join(', ')}.`);
}

export const code: CommandSpec = {
  name: 'code',
  args: '<requestId>',
  summary: 'print a request as curl, fetch and SDK code',
  example: 'requests code req_... --as curl',
  about: 'The code reads the key from SLIPWAY_KEY.',
  options: [option('--as <curl|fetch|sdk>', 'print only this one, without its title', language)],
  async run({ io, form, args, options, session }: Invocation) {
    const as = options.as as Language | undefined; // parsed by `language`
    if (as && form.json) throw new UsageError(`--as prints text: use \`--json ${as}\` for JSON.`);
    const { api, organisation, app } = await session();
    const at = { organisationId: (await organisation()).id, appId: (await app()).id };
    const snippets = await api.getRequestSnippets({ ...at, requestId: args.requestId ?? '' });
    if (form.json) return printOne(io, snippets, form);
    const text = as ? snippetIn(snippets, as) : allSnippets(snippets);
    // Escaped in a pipe too: a file is often shown on a terminal later.
    io.out(`${escapeTextLines(text)}\n`);
    if (!snippets.isComplete) io.err('The record is incomplete: add the missing parts of the request.\n');
  },
};

function snippetIn(snippets: RequestSnippets, as: Language): string {
  const text = snippets[as];
  if (text === null) throw new CommandError('the SDK has no method for this request: use --as curl or --as fetch.');
  return text;
}

function allSnippets(snippets: RequestSnippets): string {
  const languages = Object.keys(TITLES).filter(isLanguage);
  return languages.flatMap((one) => (snippets[one] === null ? [] : `${TITLES[one]}\n${snippets[one]}`)).join('\n\n');
}
