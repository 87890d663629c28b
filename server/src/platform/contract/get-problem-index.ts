import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { text } from '../../kit/http/schema.ts';
import { PAGE_HEADERS, problemIndex } from './problem-page.ts';

export const getProblemIndex = operation({
  id: 'getProblemIndex',
  route: 'GET /problems',
  tag: 'Contract',
  summary: 'Read about all problems',
  description: 'Returns a page that lists all problems, with a link to the page of each.',
  access: allowAnyone(),
  replies: ok(
    'The page.',
    text('HTML.', { maxLength: 100_000 }),
    { aPage: '<!doctype html><html lang="en"></html>' },
    { contentType: 'text/html; charset=utf-8', headers: ['Content-Security-Policy', 'Referrer-Policy'] },
  ),
  async run({ plane }) {
    return { status: 200, body: problemIndex(plane.urls.problems, plane.urls.docs), headers: PAGE_HEADERS };
  },
});
