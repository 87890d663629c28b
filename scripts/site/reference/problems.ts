// One page for each problem: its meaning, its cause and its fix, from the contract.
import type { SitePage } from '../page.ts';
import type { Contract, Problem } from './contract.ts';
import { cell } from './fields.ts';

export const problemSlug = (code: string): string => `reference/problems/${code.replaceAll('_', '-')}`;

export function problemPages(contracts: readonly Contract[]): { index: SitePage; pages: SitePage[] } {
  const problems = new Map(contracts.flatMap((contract) => Object.entries(contract['x-problems'])));
  const sorted = [...problems].sort(([, one], [, other]) => one.example.status - other.example.status);
  const rows = sorted.map(
    ([code, { example, meaning }]) => `| ${example.status} | [\`${code}\`](/${problemSlug(code)}) | ${cell(meaning)} |`,
  );
  const about =
    'Every response that is not a success has the content type `application/problem+json` (RFC 9457) and one of these codes.';
  const index = {
    slug: 'reference/problems',
    title: 'Problems',
    markdown: ['# Problems', about, ['| status | code | meaning |', '| --- | --- | --- |', ...rows].join('\n')].join(
      '\n\n',
    ),
    keywords: 'error codes problem details',
    weight: 0.8,
  };
  return { index, pages: sorted.map(([code, problem]) => pageOf(code, problem)) };
}

function pageOf(code: string, { meaning, cause, fix, mend, example }: Problem): SitePage {
  const solution = fix ?? mend;
  if (solution === undefined) throw new Error(`The problem ${code} must have a fix.`);
  const markdown = [
    `# ${example.title}`,
    `HTTP ${example.status} · \`${code}\``,
    meaning,
    '## Cause',
    cause,
    '## Fix',
    solution,
    '## Example',
    ['```json', JSON.stringify(example, null, 2), '```'].join('\n'),
  ].join('\n\n');
  return { slug: problemSlug(code), title: example.title, markdown, keywords: code, weight: 0.4 };
}
