// Writes the report of a failed `slipway ci`: a summary, the same list as JUnit XML, and each failed request and each
// delivery with failed attempts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SlipwayProblem } from '@slipway/sdk';
import type { Delivery, ManagementClient, RequestRecord } from '@slipway/sdk/management';
import { pause } from './pause.ts';
import { redactCredentials } from './redact.ts';

export interface CiWorld {
  api: ManagementClient;
  consoleUrl: string;
  organisationId: string;
  appId: string;
}

/** The records that a report describes. */
interface CiFailures {
  requests: readonly RequestRecord[];
  deliveries: readonly Delivery[];
  /** True if there are more records than the report contains. */
  isTruncated: boolean;
}

const MAX_SCANNED = 1_000;
const MAX_REPORTED = 50;

/** A request without a status was reset by a fault rule. */
const isFailed = ({ status }: RequestRecord): boolean => status === null || status >= 400;

/** The statuses of a delivery that no attempt delivered. A retry takes longer than most test runs. */
const UNDELIVERED = ['failed', 'pending', 'held', 'cancelled'] as const;
const isAttempted = ({ attemptCount }: Delivery): boolean => attemptCount > 0;

async function firstOf<T>(items: AsyncIterable<T>, scanned: number, isWanted: (item: T) => boolean): Promise<T[]> {
  const matches: T[] = [];
  let examined = 0;
  for await (const item of items) {
    if (isWanted(item)) matches.push(item);
    examined += 1;
    if (examined >= scanned) break;
  }
  return matches;
}

/** Returns the failed requests of the app, and its deliveries with failed attempts, newest first. */
export async function findFailures({ api, organisationId, appId }: CiWorld): Promise<CiFailures> {
  const at = { organisationId, appId, limit: 100 };
  const [requests, ...lists] = await Promise.all([
    firstOf(api.listRequests(at), MAX_SCANNED, isFailed),
    ...UNDELIVERED.map((status) => firstOf(api.listDeliveries({ ...at, status }), MAX_SCANNED, isAttempted)),
  ]);
  const deliveries = lists.flat().toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return {
    requests: requests.slice(0, MAX_REPORTED),
    deliveries: deliveries.slice(0, MAX_REPORTED),
    isTruncated: requests.length > MAX_REPORTED || deliveries.length > MAX_REPORTED,
  };
}

const POLL_MS = 100;
const MAX_POLLS = 100;

/**
 * Waits until the record of a request can be read. Records are written in the order of the requests, shortly after the
 * response. All earlier records can then be read too.
 */
export async function awaitRecord({ api, organisationId, appId }: CiWorld, requestId: string): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    try {
      await api.getRequest({ organisationId, appId, requestId });
      return;
    } catch (error) {
      if (!(error instanceof SlipwayProblem && error.status === 404)) throw error;
    }
    // The report is also written after an interruption.
    await pause(POLL_MS, new AbortController().signal);
  }
}

interface CiOutcome {
  /** The program and its arguments. A report names only the program, because an argument can be a secret. */
  command: readonly string[];
  exitCode: number;
  appName: string;
}

/** Writes the report into the folder. Returns the path of its summary. */
export async function writeReport(
  folder: string,
  world: CiWorld,
  outcome: CiOutcome,
  failures: CiFailures,
): Promise<string> {
  const { api, organisationId, appId } = world;
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), redactCredentials(text));
  for (const part of ['requests', 'deliveries']) mkdirSync(join(folder, part), { recursive: true });
  for (const { id } of failures.requests)
    write(`requests/${id}.json`, jsonOf(await api.getRequest({ organisationId, appId, requestId: id })));
  for (const { id } of failures.deliveries)
    write(`deliveries/${id}.json`, jsonOf(await api.getDelivery({ organisationId, appId, deliveryId: id })));
  write('summary.md', summaryOf(world, outcome, failures));
  write('junit.xml', junitOf(world, outcome, failures));
  return join(folder, 'summary.md');
}

const programOf = ({ command: [program = ''] }: CiOutcome): string => basename(program);

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const pageOf = ({ consoleUrl, organisationId, appId }: CiWorld, search: string): string =>
  `${consoleUrl}/in/${organisationId}/apps/${appId}/${search}`;

const requestPage = (world: CiWorld, id: string): string => pageOf(world, `requests?request=${id}`);
const deliveryPage = (world: CiWorld, id: string): string => pageOf(world, `webhooks?delivery=${id}`);

const requestTitle = ({ method, path, operationId }: RequestRecord): string => operationId ?? `${method} ${path}`;
const resultOf = ({ status, code, simulated }: RequestRecord): string =>
  [status ?? 'reset', code, simulated === null ? undefined : `simulated: ${simulated}`].filter(Boolean).join(' ');
const deliveryTitle = ({ eventType }: Delivery): string => eventType ?? 'an event';
const deliveryResult = ({ status, lastStatus, attemptCount }: Delivery): string =>
  `${status}: ${lastStatus ?? 'no response'} after ${attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`}`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

function summaryOf(world: CiWorld, outcome: CiOutcome, failures: CiFailures): string {
  const { exitCode, appName } = outcome;
  const rows = [
    ...failures.requests.map((one) => [
      one.at,
      `[${one.id}](${requestPage(world, one.id)})`,
      requestTitle(one),
      resultOf(one),
    ]),
    ...failures.deliveries.map((one) => [
      one.createdAt,
      `[${one.id}](${deliveryPage(world, one.id)})`,
      deliveryTitle(one),
      deliveryResult(one),
    ]),
  ];
  return [
    `# \`${cell(programOf(outcome))}\` ended with exit code ${exitCode}`,
    `App ${cell(appName)} (${world.appId}). Requests with an error, and deliveries with failed attempts, newest first:`,
    rows.length === 0
      ? 'None.'
      : ['| time | id | call or event | result |', '| --- | --- | --- | --- |', ...rows.map(rowOf)].join('\n'),
    ...(failures.isTruncated ? [`Only the newest ${MAX_REPORTED} of each kind are listed.`] : []),
    '',
  ].join('\n\n');
}

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const XML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
// Replaces the control characters that XML 1.0 cannot contain.
const xml = (text: string): string =>
  text.replaceAll(/[<>&"]/g, (one) => XML[one] ?? one).replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?');

const testcase = (group: string, name: string, message: string, text: string): string =>
  `  <testcase classname="${xml(group)}" name="${xml(name)}"><failure message="${xml(message)}">${xml(text)}</failure></testcase>`;

function junitOf(world: CiWorld, outcome: CiOutcome, { requests, deliveries }: CiFailures): string {
  const cases = [
    testcase('slipway.command', programOf(outcome), `exit code ${outcome.exitCode}`, ''),
    ...requests.map((one) =>
      testcase('slipway.requests', `${requestTitle(one)} ${one.id}`, resultOf(one), requestPage(world, one.id)),
    ),
    ...deliveries.map((one) =>
      testcase(
        'slipway.deliveries',
        `${deliveryTitle(one)} ${one.id}`,
        deliveryResult(one),
        deliveryPage(world, one.id),
      ),
    ),
  ];
  const counts = `tests="${cases.length}" failures="${cases.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="slipway ci" ${counts}>`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}
