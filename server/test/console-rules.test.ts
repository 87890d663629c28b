// The rules of the Console's own components (docs/architecture.md) as tests. A failure lists the files that break the rule.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GUIDES } from '../../console/src/kit/guides.ts';
import { badCode, readSources, root } from './sources.ts';

const sources = readSources().filter(({ path }) => path.startsWith('console/src/'));

describe('the Console', () => {
  test('draws tables only with DataTable of console/src/kit', () => {
    expect(sources.filter(({ text }) => text.includes('<DataTable')).length).toBeGreaterThan(25);
    const mayDraw = (path: string): boolean => path === 'console/src/kit/data-table.tsx';
    expect(badCode(sources, /<Table\b|<table\b|\bTable\.T\w+/g, mayDraw)).toEqual([]);
  });

  test('draws forms in dialogs only with FormDialog of console/src/kit, which never loses input', () => {
    expect(sources.filter(({ text }) => text.includes('<FormDialog')).length).toBeGreaterThan(20);
    // A secret that is shown once has a dialog of its own. The others take no input that could be lost.
    const others = [
      'kit/form-dialog',
      'kit/shown-once-dialog',
      'identity/session/sign-out-everywhere',
      'inspector/key-activity/key-activity-dialog',
      'shell/commands/palette',
      'shell/commands/shortcuts-sheet',
      'webhooks/webhooks/signing-secret',
    ];
    const mayDraw = (path: string): boolean => others.some((one) => path === `console/src/${one}.tsx`);
    expect(badCode(sources, /<Modal\b/g, mayDraw)).toEqual([]);
  });

  test('links each page to a guide that exists', () => {
    const missing = Object.entries(GUIDES).filter(([, [path, title]]) => {
      const [page = '', part] = path.split('#');
      const file = join(root, 'docs', `${page}.md`);
      const heading = part === undefined ? `# ${title}` : `## ${title}`;
      return !existsSync(file) || !readFileSync(file, 'utf8').split('\n').includes(heading);
    });
    expect(missing).toEqual([]);
  });
});
