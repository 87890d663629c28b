// All pages of the site in their sections: written ones from `docs`, generated ones from the contract and the CLI.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDecisions, readWritten } from './navigation.ts';
import type { Page, Section } from './page.ts';
import { cliPages } from './reference/cli.ts';
import type { Contract } from './reference/contract.ts';
import { eventPages } from './reference/events.ts';
import { apiPages } from './reference/operations.ts';
import { problemPages } from './reference/problems.ts';

export async function readSections(root: string): Promise<Section[]> {
  const read = (name: string): Contract => JSON.parse(readFileSync(join(root, 'contract', name), 'utf8')) as Contract; // our own document
  const [v1, management] = [read('openapi.json'), read('console.openapi.json')];
  const written = readWritten(root);
  const pagesIn = (title: string): Page[] => written.get(title) ?? [];
  const events = eventPages(v1);
  const problems = problemPages([v1, management]);
  const api = apiPages({
    contract: v1,
    slug: 'reference/api',
    title: 'API /v1',
    about:
      'The API that an integration calls with a key of its app. Each operation has a page. The same document as OpenAPI 3.1 is at `/v1/openapi.json` of the API.',
    token: 'SLIPWAY_KEY',
  });
  const console = apiPages({
    contract: management,
    slug: 'reference/management',
    title: 'Management API',
    about:
      'The API of the Console: organisations, apps, keys, webhooks and request records. A terminal or a script calls it with a personal access token (`slp_…`).',
    token: 'SLIPWAY_TOKEN',
  });
  const cli = await cliPages();
  return [
    { title: 'Start', pages: pagesIn('Start') },
    { title: 'Concepts', pages: pagesIn('Concepts') },
    { title: 'Build', pages: pagesIn('Build') },
    {
      title: 'Webhooks',
      pages: [...pagesIn('Webhooks'), events.index],
      groups: [{ title: 'Events', pages: events.pages }],
    },
    { title: 'Reference: API', pages: [api.index], groups: api.groups },
    { title: 'Reference: management', pages: [console.index], groups: console.groups },
    {
      title: 'Reference',
      pages: [...pagesIn('Reference'), cli.index, problems.index],
      groups: [
        { title: 'Commands', pages: cli.pages },
        { title: 'Problems', pages: problems.pages },
      ],
    },
    { title: 'Operate', pages: pagesIn('Operate') },
    { title: 'Security', pages: pagesIn('Security') },
    { title: 'Contribute', pages: pagesIn('Contribute'), groups: [{ title: 'Decisions', pages: readDecisions(root) }] },
  ].filter(({ pages }) => pages.length > 0);
}
