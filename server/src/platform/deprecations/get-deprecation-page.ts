import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { DeprecationId } from './deprecated-use.ts';
import { deprecationPage, PAGE_HEADERS, ruleChangePage } from './deprecation-page.ts';
import { ALL_DEPRECATIONS, RULE_CHANGES } from './deprecations.ts';

export const getDeprecationPage = operation({
  id: 'getDeprecationPage',
  route: 'GET /deprecations/{deprecationId}',
  tag: 'Contract',
  summary: 'Read about a deprecation',
  description:
    'Returns the page that the `Link` header of a deprecated use points to: the deprecated part, the day on which it ends, and the replacement.',
  access: allowAnyone(),
  params: strictObject({ deprecationId: DeprecationId }),
  replies: ok(
    'The page.',
    text('HTML.', { maxLength: 100_000 }),
    { aPage: '<!doctype html><html lang="en"></html>' },
    { contentType: 'text/html; charset=utf-8', headers: ['Content-Security-Policy'] },
  ),
  async run({ plane }, { params }) {
    const pagesUrl = `${plane.urls.public}/deprecations`;
    const deprecation = ALL_DEPRECATIONS.find((one) => one.id === params.deprecationId);
    const change = RULE_CHANGES.find((one) => one.id === params.deprecationId);
    if (!deprecation && !change) throw problem('not_found');
    const body = deprecation ? deprecationPage(deprecation, pagesUrl) : change && ruleChangePage(change, pagesUrl);
    return { status: 200, body, headers: PAGE_HEADERS };
  },
});
