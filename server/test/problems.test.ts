// Every problem of the sandbox is compared with its simulated form, as far as it can occur. The tables of the design,
// the code, the contract and the pages must agree.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_PROBLEM_CODES, PROBLEM_CODES, PROBLEMS, SANDBOX_PROBLEM_CODES } from '../src/access/problems/index.ts';
import type { AnyOperation } from '../src/kit/http/operation.ts';
import { schemaErrors, type TSchema } from '../src/kit/http/schema.ts';
import { problemsOf } from '../src/kit/openapi/openapi-problems.ts';
import { type ProblemCode, problemSlug } from '../src/kit/openapi/problems.ts';
import { publicDocument, publicOperations } from '../src/listeners/sandbox-api.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { createProblemCases, type ProblemResponse, simulatedOnly } from './problem-cases.ts';

// The table of the design, as decided.
const DESIGN: Record<number, string> = {
  400: 'invalid_request',
  401: 'missing_key invalid_key expired_key revoked_key wrong_environment',
  403: 'missing_scope scope_not_authorised installation_paused installation_revoked app_suspended address_not_allowed browser_use',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'idempotency_in_progress conflict quota_exceeded',
  410: 'gone',
  413: 'body_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
  422: 'idempotency_key_reused workflow_input_invalid',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'upstream_invalid',
  503: 'unavailable',
  504: 'timeout',
};
const PRODUCTION_ONLY = ['upstream_invalid'];

let sandbox: Sandbox;
let scenes: Awaited<ReturnType<typeof createProblemCases>>;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  scenes = await createProblemCases(sandbox);
  token = (await (await sandbox.newApp()).key()).token;
});
afterAll(() => sandbox.close());

interface Contract {
  components: { schemas: { Problem: TSchema & { properties: { code: { 'x-extensible-enum': string[] } } } } };
}
const contract = publicDocument('http://sandbox.test', 'http://sandbox.test/problems') as unknown as Contract;

const sorted = (codes: readonly string[]): string[] => [...codes].sort();

describe('the tables of problems', () => {
  const design = Object.entries(DESIGN).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)] as const),
  );

  test('the table in the code equals the design, status by status', () => {
    const ours = API_PROBLEM_CODES.map((code) => [code, PROBLEMS[code].status] as const);
    const byCode = (one: readonly [string, number], other: readonly [string, number]): number =>
      one[0] < other[0] ? -1 : 1;
    expect([...ours].sort(byCode)).toEqual([...design].sort(byCode));
  });

  test('the sandbox can return all problems except those of production alone', () => {
    const wanted = design.map(([code]) => code).filter((code) => !PRODUCTION_ONLY.includes(code));
    expect(sorted(SANDBOX_PROBLEM_CODES)).toEqual(sorted(wanted));
  });

  test('the contract’s schema has exactly these codes', () => {
    expect(sorted(contract.components.schemas.Problem.properties.code['x-extensible-enum'])).toEqual(
      sorted(API_PROBLEM_CODES),
    );
  });

  test('no operation of /v1 declares a problem of the Console or of production', () => {
    const operations = publicOperations as unknown as AnyOperation<never>[];
    const declared = operations.flatMap((operation) => problemsOf(operation));
    expect(declared.filter((code) => !SANDBOX_PROBLEM_CODES.includes(code))).toEqual([]);
  });

  test('every code has a scene or a reason why it only occurs in simulations', () => {
    expect(sorted([...Object.keys(scenes), ...simulatedOnly])).toEqual(sorted(SANDBOX_PROBLEM_CODES));
  });
});

// Headers that depend on the time, the connection or the simulation.
const OF_THE_CALL = ['date', 'request-id', 'content-length', 'connection', 'keep-alive', 'sandbox-simulated'];

function lasting({ status, headers, body }: ProblemResponse) {
  const { requestId: _id, errors: _errors, ...rest } = body;
  const stable = Object.entries(headers).filter(
    ([name]) => !OF_THE_CALL.includes(name) && !name.startsWith('ratelimit'),
  );
  return { status, headers: Object.fromEntries(stable), body: rest };
}

const realCodes = SANDBOX_PROBLEM_CODES.filter((code) => !simulatedOnly.includes(code));

describe.each(realCodes)('the problem %s', (code: ProblemCode) => {
  test('the problem occurs, fits the contract, and equals the simulated one', async () => {
    const met = await scenes[code]?.();
    if (!met) throw new Error(`problem-cases.ts has no case of ${code}.`);
    expect([met.status, met.body.code]).toEqual([PROBLEMS[code].status, code]);
    expect('detail' in met.body).toBe(code !== 'missing_scope');
    expect(schemaErrors(contract.components.schemas.Problem, met.body)).toEqual([]);
    const headers = { 'sandbox-simulate': `code=${code}` };
    const answer = await sandbox.call('/v1/servers', token, { headers });
    const simulated = { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body };
    expect(lasting(simulated)).toEqual(lasting(met));
    // A simulated problem has `errors` exactly if the real one has.
    expect('errors' in simulated.body).toBe('errors' in met.body);
  });
});

describe('the pages of problems', () => {
  const plain = (html: string): string =>
    html
      .replaceAll(/<\/?code>/g, '`')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');

  test.each(PROBLEM_CODES)('the page of %s has its meaning, cause, remedy and a real body', async (code) => {
    const { status, text, headers } = await sandbox.call(`/problems/${problemSlug(code)}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const { title, meaning, cause, fix, example, servedBy } = PROBLEMS[code];
    const detail = code === 'missing_scope' ? undefined : (example?.detail ?? fix);
    const page = plain(text);
    for (const part of [`<h1>${title}</h1>`, meaning, cause, fix]) expect(page).toContain(part);
    const [, json = ''] = /<pre>([\s\S]*)<\/pre>/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual({
      type: `http://sandbox.test/problems/${problemSlug(code)}`,
      title,
      status: PROBLEMS[code].status,
      code,
      requestId: expect.stringMatching(/^req_/),
      ...(detail !== undefined && { detail }),
      ...(example?.errors !== undefined && { errors: example.errors }),
    });
    expect(page.includes('Only production returns this problem')).toBe(servedBy === 'production');
    expect(page.includes('Only the Console and its management API return this problem')).toBe(servedBy === 'console');
    expect(page.includes(`Sandbox-Simulate: code=${code}`)).toBe(servedBy === 'api');
  });

  test('the index links exactly to the pages of problems', async () => {
    const { status, text } = await sandbox.call('/problems');
    expect(status).toBe(200);
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
    expect(sorted(links)).toEqual(
      sorted(PROBLEM_CODES.map((code) => `http://sandbox.test/problems/${problemSlug(code)}`)),
    );
  });

  test('a page loads nothing, runs nothing, and allows its one style by hash', async () => {
    for (const path of ['/problems', '/problems/gone']) {
      const { text, headers } = await sandbox.call(path);
      const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      const policy = headers.get('content-security-policy');
      expect(policy).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(text).not.toMatch(/<script|<link|<img|src=|@import|url\(|style="|\son\w+=/);
      expect(text).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
      expect(style).toContain('prefers-color-scheme:dark');
    }
  });

  test('a page of an unknown problem gets 404', async () => {
    expect((await sandbox.call('/problems/nothing')).body.code).toBe('not_found');
  });
});
