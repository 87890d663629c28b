import { allowAnyone } from '../../access/authority/index.ts';
import { PROBLEM_CODES } from '../../access/problems/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { problem, problemSlug } from '../../kit/openapi/problems.ts';
import { PAGE_HEADERS, problemPage } from './problem-page.ts';

export const getProblemPage = operation({
  id: 'getProblemPage',
  route: 'GET /problems/{slug}',
  tag: 'Contract',
  summary: 'Read about a problem',
  description: 'Returns the page that a problem’s `type` links to: the meaning, the cause and the fix.',
  access: allowAnyone(),
  params: strictObject({
    slug: text('The last segment of the problem’s `type`.', {
      pattern: '^[a-z-]{1,60}$',
      maxLength: 60,
      examples: ['missing-scope'],
    }),
  }),
  replies: ok(
    'The page.',
    text('HTML.', { maxLength: 100_000 }),
    { aPage: '<!doctype html><html lang="en"></html>' },
    { contentType: 'text/html; charset=utf-8', headers: ['Content-Security-Policy', 'Referrer-Policy'] },
  ),
  async run({ plane }, { params }) {
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === params.slug);
    if (!code) throw problem('not_found');
    return { status: 200, body: problemPage(code, plane.urls.problems, plane.urls.docs), headers: PAGE_HEADERS };
  },
});
