// One page for each operation of an API: access, parameters, body, responses, problems and a call with curl.
import type { SitePage } from '../page.ts';
import {
  type Contract,
  type DeclaredOperation,
  type Media,
  operationsOf,
  type Parameter,
  parameterOf,
  type Reply,
} from './contract.ts';
import { cell, fieldTable, typeOf } from './fields.ts';
import { problemSlug } from './problems.ts';

export interface Api {
  contract: Contract;
  /** The first part of the addresses: `reference/api`. */
  slug: string;
  title: string;
  about: string;
  /** The shell variable with the credential. */
  token: string;
}

export interface ApiPages {
  index: SitePage;
  groups: { title: string; pages: SitePage[] }[];
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const pathOf = (api: Api, { operation }: DeclaredOperation): string => `${api.slug}/${kebab(operation.operationId)}`;

export function apiPages(api: Api): ApiPages {
  const declared = operationsOf(api.contract);
  const groups = api.contract.tags.map(({ name }) => ({
    title: name,
    pages: declared.filter(({ operation }) => operation.tags?.[0] === name).map((one) => pageOf(api, one)),
  }));
  return { index: indexOf(api, declared), groups: groups.filter(({ pages }) => pages.length > 0) };
}

function indexOf(api: Api, declared: readonly DeclaredOperation[]): SitePage {
  const tables = api.contract.tags.flatMap(({ name, description }) => {
    const own = declared.filter(({ operation }) => operation.tags?.[0] === name);
    if (own.length === 0) return [];
    const rows = own.map((one) => {
      const { operationId, summary } = one.operation;
      return `| [${summary}](/${pathOf(api, one)}) | \`${operationId}\` | \`${one.method} ${one.path}\` |`;
    });
    return [
      `## ${name}`,
      description ?? '',
      ['| operation | id | request |', '| --- | --- | --- |', ...rows].join('\n'),
    ];
  });
  const markdown = [`# ${api.title}`, api.about, ...tables].join('\n\n');
  return { slug: api.slug, title: api.title, markdown, weight: 0.8 };
}

function pageOf(api: Api, declared: DeclaredOperation): SitePage {
  const { method, path, operation } = declared;
  const parameters = (operation.parameters ?? []).map((one) => parameterOf(api.contract, one));
  const markdown = [
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    `Operation \`${operation.operationId}\` of the [${api.title}](/${api.slug}).${operation.deprecated ? ' **Deprecated.**' : ''}`,
    operation.description ?? '',
    ...environmentsOf(operation['x-environments']),
    ...parametersOf(api.contract, parameters),
    ...bodyOf(api.contract, operation.requestBody?.content),
    '## Example',
    ['```sh', curlOf(api, declared, parameters), '```'].join('\n'),
    ...responsesOf(api.contract, operation.responses),
    ...problemsOf(operation.responses),
  ].join('\n\n');
  return {
    slug: pathOf(api, declared),
    title: operation.summary,
    markdown,
    keywords: `${operation.operationId} ${path}`,
    // A guide about the same words comes before the operation, which `operationId` finds by itself.
    weight: 0.3,
  };
}

const environmentsOf = (environments: readonly string[] | undefined): string[] =>
  environments?.includes('production')
    ? [
        'With `/api/production` in place of `/api/sandbox` the operation serves production, if production is configured.',
      ]
    : [];

function parametersOf(contract: Contract, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map((one) => {
    const words = `${one.description ?? ''}${one.required ? '' : ' Optional.'}`;
    return `| \`${one.name}\` | ${one.in} | ${cell(typeOf(contract, one.schema ?? {}))} | ${cell(words)} |`;
  });
  return [
    '## Parameters',
    ['| parameter | in | type | description |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ];
}

function bodyOf(contract: Contract, content: Record<string, Media> | undefined): string[] {
  return Object.entries(content ?? {}).flatMap(([type, { schema }]) => [
    '## Request body',
    `\`${type}\``,
    fieldTable(contract, schema ?? {}),
  ]);
}

const exampleOf = (media: Media | undefined): unknown => Object.values(media?.examples ?? {})[0]?.value;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a curl command that can be run unchanged, with the credential in a variable. */
export function curlOf(
  api: Api,
  { method, path, operation }: DeclaredOperation,
  parameters: readonly Parameter[],
): string {
  const given = new Map(parameters.map((one) => [one.name, one.example]));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.get(name) ?? name)),
  );
  const query = parameters
    .filter((one) => one.in === 'query' && one.required && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  const address = `${api.contract.servers[0]?.url}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const isPublic = (operation.security ?? []).length === 0;
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const value = exampleOf(media);
  const body =
    value === undefined
      ? []
      : [`-H 'Content-Type: ${type}'`, `-d ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`];
  const key = parameters.some(({ name }) => name === 'Idempotency-Key') ? [`-H "Idempotency-Key: $(uuidgen)"`] : [];
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quoted(address)}`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $${api.token}"`]),
    ...key,
    ...body,
  ];
  return lines.join(' \\\n  ');
}

function responsesOf(contract: Contract, responses: Record<string, Reply>): string[] {
  const good = Object.entries(responses).filter(([status]) => /^[123]/.test(status));
  return good.flatMap(([status, { description, content }]) => {
    const [type, media] = Object.entries(content ?? {})[0] ?? [];
    const head = [`## Response ${status}`, description];
    if (!media || !type) return head;
    const isJson = /json/.test(type);
    const value = exampleOf(media);
    const example =
      value === undefined || !isJson ? [] : [['```json', JSON.stringify(value, null, 2), '```'].join('\n')];
    return [...head, `\`${type}\``, ...(isJson ? [fieldTable(contract, media.schema ?? {})] : []), ...example];
  });
}

function problemsOf(responses: Record<string, Reply>): string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`(\w+)`: ([^\n]*)/g)].map(
        ([, code = '', meaning = '']) => `| ${status} | [\`${code}\`](/${problemSlug(code)}) | ${cell(meaning)} |`,
      ),
    );
  if (rows.length === 0) return [];
  return ['## Errors', ['| status | code | meaning |', '| --- | --- | --- |', ...rows].join('\n')];
}
