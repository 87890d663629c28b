// One page for each type of event: its fields in every schema version, and a signed example of each.
import type { SitePage } from '../page.ts';
import { type Contract, type DocumentedOperation, resolve, type Schema } from './contract.ts';
import { cell, fieldTable } from './fields.ts';

const slugOf = (type: string): string => `webhooks/events/${type.replaceAll(/[._]/g, '-')}`;

export function eventPages(contract: Contract): { index: SitePage; pages: SitePage[] } {
  const types = Object.entries(contract.webhooks ?? {}).map(([type, { post }]) => ({ type, operation: post }));
  const rows = types.map(({ type, operation }) => {
    const versions = operation['x-event-versions']?.join(', ') ?? '1';
    return `| [\`${type}\`](/${slugOf(type)}) | ${versions} | ${cell(operation.summary)} |`;
  });
  const index = {
    slug: 'webhooks/events',
    title: 'Event catalogue',
    markdown: [
      '# Event catalogue',
      'Each type of event, with its schema versions. An endpoint is pinned to one version of each type; a new version never changes the data of an earlier one.',
      ['| type | schema versions | sent when |', '| --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n'),
    keywords: 'event types webhooks schema version',
  };
  return { index, pages: types.map(({ type, operation }) => pageOf(contract, type, operation)) };
}

function pageOf(contract: Contract, type: string, operation: DocumentedOperation): SitePage {
  const media = operation.requestBody?.content['application/json'];
  const versions = operation['x-event-versions'] ?? [1];
  const examples = Object.values(media?.examples ?? {});
  const parts = [...versions].reverse().flatMap((version) => {
    const schema = schemaOf(contract, media?.schema ?? {}, version);
    const example = examples.find(({ value }) => (value as { schemaVersion?: number }).schemaVersion === version); // an event
    const headers = Object.entries(example?.['x-headers'] ?? {}).map(([name, value]) => `${name}: ${value}`);
    return [
      `## Schema version ${version}`,
      fieldTable(contract, schema),
      ...(example
        ? [
            'A delivery with these headers and this body. The signature is over the body as JSON without spaces:',
            ['```', ...headers, '```'].join('\n'),
            ['```json', JSON.stringify(example.value, null, 2), '```'].join('\n'),
          ]
        : []),
    ];
  });
  const markdown = [`# ${type}`, operation.description ?? operation.summary, ...parts].join('\n\n');
  return { slug: slugOf(type), title: type, markdown, keywords: `event ${operation.summary}`, weight: 0.6 };
}

/** Returns the schema of an event in one version: the matching alternative, or the only schema. */
function schemaOf(contract: Contract, schema: Schema, version: number): Schema {
  const choices = resolve(contract, schema).anyOf ?? [schema];
  const versionOf = (one: Schema): unknown => resolve(contract, one).properties?.schemaVersion?.const;
  return choices.find((one) => versionOf(one) === version) ?? choices[0] ?? schema;
}
