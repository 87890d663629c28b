import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { text } from '../../kit/http/schema.ts';
import { deprecationIndex, PAGE_HEADERS } from './deprecation-page.ts';
import { ALL_DEPRECATIONS, RULE_CHANGES } from './deprecations.ts';

export const getDeprecationIndex = operation({
  id: 'getDeprecationIndex',
  route: 'GET /deprecations',
  tag: 'Contract',
  summary: 'Read about all deprecations',
  description:
    'Returns a page that lists all deprecations, with a link to the page of each. The page says so if there are none.',
  access: allowAnyone(),
  replies: ok(
    'The page.',
    text('HTML.', { maxLength: 100_000 }),
    { aPage: '<!doctype html><html lang="en"></html>' },
    { contentType: 'text/html; charset=utf-8', headers: ['Content-Security-Policy'] },
  ),
  async run({ plane }) {
    const body = deprecationIndex([...ALL_DEPRECATIONS, ...RULE_CHANGES], `${plane.urls.public}/deprecations`);
    return { status: 200, body, headers: PAGE_HEADERS };
  },
});
