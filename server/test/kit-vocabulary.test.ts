// The kit knows nothing of the product: its names, texts and comments contain no word of it (docs/architecture.md).
import { expect, test } from 'vitest';
import { readSources } from './sources.ts';

const kit = readSources().filter(
  ({ path }) => path.startsWith('server/src/kit/') && !/\.(test|fixture)\.ts$/.test(path),
);

const WORDS =
  'consoles? delivery deliveries drills? endpoints? inspectors? installations? operators? organisations? planes? ' +
  'production publications? redelivery redeliveries replays? roadmaps? sandbox simulated? simulations? slipway ' +
  'tenants? tickets? webhooks? workflows? worlds? server&ids?';
const WORD = new RegExp(`\\b(?:${WORDS.replaceAll(' ', '|').replaceAll('&', ' ')})\\b`, 'g');

/** Returns the words of the product in a source, also those inside a name. */
function productWords(text: string): string[] {
  const words = text
    .replaceAll(/\bconsole\.(?=log\(|error\()/g, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.match(WORD) ?? [];
}

// Words of the product that a standard uses as well: Standard Webhooks, OpenAPI 3.1 and OpenID Connect.
const TERMS = [
  { word: /^webhooks?$/, folder: 'server/src/kit/crypto/standard-webhooks.ts' },
  { word: /^webhooks?$/, folder: 'server/src/kit/openapi/' },
  { word: /^endpoint$/, folder: 'server/src/kit/outbound/oidc.ts' },
];

test('the search finds words in names, texts and comments', () => {
  expect(
    productWords("const serverId = 'a Ticket'; // the sandboxUrl of_tenants\nconsole.log(publicationsOf);"),
  ).toEqual(['server id', 'ticket', 'sandbox', 'tenants', 'publications']);
  expect(productWords("import { consoleUrl } from './console.ts';")).toEqual(['console', 'console']);
  expect(productWords('// A server identifies worldwide plans.\nconsole.error(text);')).toEqual([]);
});

test('no name, text or comment of the kit contains a word of the product', () => {
  expect(kit.length).toBeGreaterThan(80);
  const used = new Set<(typeof TERMS)[number]>();
  const found = kit.flatMap(({ path, text }) =>
    productWords(text).flatMap((word) => {
      const term = TERMS.find((one) => one.word.test(word) && path.startsWith(one.folder));
      if (term) used.add(term);
      return term ? [] : [`${path}: ${word}`];
    }),
  );
  expect([...new Set(found)]).toEqual([]);
  expect(TERMS.filter((term) => !used.has(term))).toEqual([]);
});
