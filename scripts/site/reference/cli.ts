// One page for each family of commands of the CLI, from its table of commands.

import { COMMAND_GROUPS } from '../../../cli/src/command-groups.ts';
import { EXIT_CODE_NOTE, EXIT_CODES } from '../../../cli/src/errors.ts';
import { specsOf, usageOf } from '../../../cli/src/options.ts';
import type { SitePage } from '../page.ts';
import { cell } from './fields.ts';

const slugOf = (name: string): string => `reference/cli/${name}`;

export async function cliPages(): Promise<{ index: SitePage; pages: SitePage[] }> {
  const pages = await Promise.all(
    COMMAND_GROUPS.map(async ({ name, summary, load }): Promise<SitePage> => {
      const commands = (await load()).map((spec) => {
        const typed = ['slipway', name, spec.name].filter((word) => word !== '').join(' ');
        const options = specsOf(spec).map(
          (one) => `| \`${cell(one.flags)}\` | ${one.isRequired ? 'yes' : ''} | ${cell(one.description)} |`,
        );
        return [
          ...(spec.name === '' ? [] : [`## ${typed}`, `${sentence(spec.summary)}`]),
          ['```sh', `${typed} ${usageOf(spec)}`, '```'].join('\n'),
          ['Example:', ['```sh', `slipway ${spec.example}`, '```'].join('\n')].join('\n\n'),
          ...(spec.about ? [spec.about] : []),
          ...(options.length > 0
            ? [['| option | required | description |', '| --- | --- | --- |', ...options].join('\n')]
            : []),
        ].join('\n\n');
      });
      const markdown = [`# slipway ${name}`, sentence(summary), ...commands].join('\n\n');
      return { slug: slugOf(name), title: `slipway ${name}`, markdown, keywords: 'command cli terminal', weight: 0.3 };
    }),
  );
  const rows = COMMAND_GROUPS.map(
    ({ name, summary }) => `| [\`slipway ${name}\`](/${slugOf(name)}) | ${cell(summary)} |`,
  );
  const codes = EXIT_CODES.map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`);
  const index = {
    slug: 'reference/cli',
    title: 'Command line',
    markdown: [
      '# Command line',
      'The command `slipway` works with Slipway from a terminal or a script. Without a terminal, or with `--json`, it prints JSON, one object a line.',
      ['| command | purpose |', '| --- | --- |', ...rows].join('\n'),
      '## Exit codes',
      ['| code | meaning |', '| --- | --- |', ...codes].join('\n'),
      EXIT_CODE_NOTE,
    ].join('\n\n'),
    keywords: 'cli terminal command exit codes',
    weight: 0.8,
  };
  return { index, pages };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
