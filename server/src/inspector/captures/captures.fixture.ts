// Creates apps that capture, sends requests and reads their captures, for the tests of captures.
import { expect } from 'vitest';
import type { Answer, Sandbox, TestApp } from '../../../test/app.ts';
import { MASTER_KEYS } from '../../../test/harness.ts';
import type { Role } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';

interface Status {
  state: string;
  reason: string | null;
  expiresAt: string | null;
  requestBody: string | null;
  responseBody: string | null;
}
interface Message {
  headers: Record<string, string>;
  maskedHeaders: string[];
  body: string | null;
  maskedPointers: string[];
}
interface RevealedCapture extends Record<string, unknown> {
  status: Status;
  request: Message;
  response: Message;
  snippets: { curl: string; fetch: string; sdk: string; isComplete: boolean };
}
type CapturedApp = TestApp & { token: string; uuid: string };

export const MISSING = { state: 'not_kept', expiresAt: null, requestBody: null, responseBody: null };
export const EXPIRY = { masterKeys: MASTER_KEYS, isAllowed: true };
export const TICKET = { subject: 'Hello', body: 'From the test.' };

export const idOf = ({ headers }: Answer): string => headers.get('request-id') ?? '';

export const rowsIn = async <Row = Record<string, unknown>>(
  { database }: Sandbox,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await database.superuser.query(text, values)).rows as Row[];

/** Creates the tools for a sandbox that `main` returns once it runs. */
export function createCaptureTools(main: () => Sandbox) {
  const rows = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    rowsIn<Row>(main(), text, values);
  const countOf = async (table: string, { uuid }: CapturedApp): Promise<number> =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${table} where app_id = $1`, [uuid]))[0]?.n ?? 0;
  const setCaptures = (app: TestApp, capturesBodies: boolean, role: Role = 'owner', of = main()) =>
    of.manage('PATCH', `/apps/${app.id}`, { capturesBodies }, { role });

  async function newApp(of = main()): Promise<CapturedApp> {
    const app = await of.newApp();
    return { ...app, uuid: fromId('app', app.id) ?? '', token: (await app.key()).token };
  }

  async function capturedApp(of = main()): Promise<CapturedApp> {
    const app = await newApp(of);
    const { body } = await setCaptures(app, true, 'owner', of);
    expect(body).toMatchObject({ capturesBodies: true, canCaptureBodies: true });
    return app;
  }

  async function statusOf(app: TestApp, requestId: string, of = main()): Promise<Status> {
    await of.captures.queue?.flush();
    expect(of.errors).toEqual([]);
    return (await of.manage<{ capture: Status }>('GET', `/apps/${app.id}/requests/${requestId}`)).body.capture;
  }

  async function reveal(app: TestApp, requestId: string, as: { role?: Role; organisationId?: string } = {}) {
    await main().captures.queue?.flush();
    const path = `/apps/${app.id}/requests/${requestId}/capture/reveal`;
    return main().manage<RevealedCapture>('POST', path, undefined, { role: 'developer', ...as });
  }

  const ticketsOf = (app: TestApp): string => `/v1/servers/${app.serverIds[0]}/tickets`;
  const post = (app: CapturedApp, body: string, headers: Record<string, string> = {}) =>
    main().call(ticketsOf(app), app.token, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const audited = (app: TestApp) =>
    rows<{ action: string; actor: string; target: string }>(
      "select action, actor, target from audit_entries where app_id = $1 and action ~ 'captur' order by audit_id",
      [fromId('app', app.id)],
    );
  return { rows, countOf, setCaptures, newApp, capturedApp, statusOf, reveal, ticketsOf, post, audited };
}
