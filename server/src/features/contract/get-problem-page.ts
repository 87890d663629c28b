import { operation } from '../../kit/operation.ts';
import { PROBLEM_CODES, problem, problemSlug } from '../../kit/problems.ts';
import { closed, Type } from '../../kit/schema.ts';
import { anyone } from '../authority/index.ts';
import { PAGE_HEADERS, problemPage } from './problem-page.ts';

export const getProblemPage = operation({
  id: 'getProblemPage',
  method: 'GET',
  path: '/problems/{slug}',
  tag: 'Contract',
  summary: 'Read about a problem',
  description: "The page behind a problem's `type`: what it means, why it happens and how to mend it.",
  access: anyone(),
  params: closed({
    slug: Type.String({ pattern: '^[a-z-]{1,60}$', maxLength: 60, description: "The end of the problem's type." }),
  }),
  replies: {
    200: {
      description: 'The page.',
      contentType: 'text/html; charset=utf-8',
      schema: Type.String({ maxLength: 100_000, description: 'HTML.' }),
    },
  },
  async run({ plane }, { params }) {
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === params.slug);
    if (!code) throw problem('not_found');
    return { status: 200, body: problemPage(code, plane.problemsUrl), headers: PAGE_HEADERS };
  },
});
