import { describe, expect, test } from 'vitest';
import { type PendingNotice, SENT_KINDS } from '../../platform/notices/index.ts';
import { combineMessages, messageOf, toMailText } from './message.ts';

const notice: PendingNotice = {
  id: 'ntc_01ja4c8v8k6e5t8m2n4p6q8r0s',
  organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s4',
  kind: 'endpoint_failing',
  daysAhead: null,
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s4',
  appName: 'Bridge',
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  keyName: 'Staging bridge',
  kid: '7Qh2mXc04LpA',
  keyCreatedBy: 'imke@example.org',
  expiresAt: '2026-12-02T10:15:30.000Z',
  foundAt: null,
  endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
  endpointHost: 'bridge.example.org',
  daysFailing: 3,
  disabledReason: null,
  createdAt: '2026-11-25T10:16:02.000Z',
};
const mail = (changes: Partial<PendingNotice>) =>
  toMailText(messageOf({ ...notice, ...changes }, 'sandbox', 'https://console.test'));

describe('the mail of a notice', () => {
  test('the mail of a failing endpoint says for how long it fails and what follows', () => {
    const { subject, text } = mail({});
    expect(subject).toBe('Nothing has reached the endpoint at bridge.example.org for 3 days');
    expect(text).toContain(
      'The endpoint at bridge.example.org (whe_01j9z3v8k6e5t8m2n4p6q8r0s8) of the app "Bridge" in the',
    );
    expect(text).toContain('After five days Slipway disables the endpoint');
    expect(mail({ daysFailing: 1 }).subject).toMatch(/for a day$/);
  });

  test('the mail of a disabled endpoint says why and what to do next', () => {
    const { subject, text } = mail({
      kind: 'endpoint_disabled',
      daysFailing: null,
      disabledReason: 'The receiver responded with 410 Gone.',
    });
    expect(subject).toBe('The endpoint at bridge.example.org was disabled');
    expect(text).toContain('was disabled: The receiver responded with 410 Gone.');
    expect(text).toContain('recorded as skipped');
  });

  test('the mail of a key in a browser names key, app, environment and origin, without a clickable link to the origin', () => {
    const { subject, text } = mail({ kind: 'key_in_browser', pageOrigin: 'https://app.example.com:8443' });
    expect(subject).toBe('A page in a browser used the key "Staging bridge"');
    expect(text).toContain(
      'The key "Staging bridge" (7Qh2mXc04LpA) of the app "Bridge" in the sandbox was used by a page in a browser.',
    );
    expect(text).toContain('Origin of the page: https[:]//app[.]example[.]com:8443\n');
    expect(text.replaceAll('https://console.test', '')).not.toMatch(/:\/\/|example\.com/);
    for (const unshown of [{ pageOrigin: null }, {}])
      expect(mail({ kind: 'key_in_browser', ...unshown }).text).toContain('an origin that cannot be shown');
  });

  test('the mail of an installation shows a character that hides or turns text as a replacement character', () => {
    const server = { id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s8', name: 'Harbour\u200f\nLights\u202e' };
    const { subject, text } = mail({ kind: 'installation_revoked', endpointId: null, endpointHost: null, server });
    expect(subject).toBe('The server "Harbour\ufffd\ufffdLights\ufffd" revoked the app "Bridge"');
    expect(text).toMatch(/^The installation on the server "Harbour\ufffd\ufffdLights\ufffd" \(srv_/);
  });

  test.each([
    'https://evil.example/a',
    'Call www.evil.example.',
    'evil.example',
  ])('neither the name of a server nor the place of a leak becomes a link: %s', (address) => {
    const ofKey = { endpointId: null, endpointHost: null, daysFailing: null };
    const server = { id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s8', name: address };
    for (const { subject, text } of [
      mail({ ...ofKey, kind: 'installation_paused', server }),
      mail({ ...ofKey, kind: 'key_leaked', foundAt: address }),
    ]) {
      expect(text).toContain('evil[.]example');
      expect(`${subject}\n${text}`.replaceAll('https://console.test', '')).not.toMatch(/:\/\/|\bwww\.|evil\./);
    }
  });

  test('the mail of the last key of an endpoint names endpoint, key and date', () => {
    const { subject, text } = mail({ kind: 'endpoint_keys_end', daysFailing: null });
    expect(subject).toBe('The last key of the endpoint at bridge.example.org expires soon');
    expect(text).toContain(
      'no valid key after 2026-12-02 at 10:15 UTC, when the key "Staging bridge" (7Qh2mXc04LpA) expires',
    );
  });

  test('the mail of a deprecation names its end, the requests and the endpoints, and links to the uses', () => {
    const deprecation = {
      ...{ id: 'd', title: 'The field `a`', replacement: 'Send `b`.', ends: '2027-05-31', daysAhead: 30 },
      ...{ requests: 12, requestIds: ['req_01j9z3v8k6e5t8m2n4p6q8r0sb'] },
      ...{ endpoints: 1, endpointIds: ['whe_01j9z3v8k6e5t8m2n4p6q8r0s8'] },
    };
    const ofApp = { endpointId: null, endpointHost: null, daysFailing: null };
    const { subject, text } = mail({ ...ofApp, kind: 'deprecation_announced', deprecation });
    expect(subject).toBe('Ends in at most 30 days: The field a, used by the app "Bridge"');
    expect(text).toContain('which ends on 2027-05-31: The field a.');
    expect(text).toContain('Requests of the last 30 days: 12. Newest: req_01j9z3v8k6e5t8m2n4p6q8r0sb.');
    expect(text).toContain('Endpoints that receive it: 1. Newest: whe_01j9z3v8k6e5t8m2n4p6q8r0s8.');
    expect(text).toMatch(/\/requests\?view=deprecated$/);
  });

  test('a mail links to its cause in the environment of the notice', () => {
    const of = '/org_01j9z3v8k6e5t8m2n4p6q8r0s4/apps/app_01j9z3v8k6e5t8m2n4p6q8r0s4/';
    const linkOf = (changes: Partial<PendingNotice>) => mail(changes).text.split('\n').at(-1);
    expect(linkOf({})).toBe(`https://console.test/sandbox${of}webhooks/endpoints/whe_01j9z3v8k6e5t8m2n4p6q8r0s8`);
    const ofKey = { endpointId: null, endpointHost: null, daysFailing: null };
    expect(linkOf({ ...ofKey, kind: 'key_expires', daysAhead: 7 })).toBe(`https://console.test/sandbox${of}keys`);
    const requests = `https://console.test/production${of}requests?key=key_01j9z3v8k6e5t8m2n4p6q8r0s7`;
    const leaked = messageOf({ ...notice, ...ofKey, kind: 'key_leaked' }, 'production', 'https://console.test');
    expect(leaked.link).toBe(requests);
  });

  test('every notice of an environment links to its own cause', () => {
    const endpoint = 'webhooks/endpoints/whe_01j9z3v8k6e5t8m2n4p6q8r0s8';
    const delivery = 'dlv_01j9z3v8k6e5t8m2n4p6q8r0s5';
    const server = { id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', name: 'Harbour Lights' };
    const ofKey = { endpointId: null, endpointHost: null };
    const uses = { requests: 1, requestIds: [], endpoints: 0, endpointIds: [] };
    const deprecation = { id: 'd', title: 'A', replacement: 'B', ends: '2027-05-31', daysAhead: null, ...uses };
    const withheld = { events: 1, deliveries: 0, enforcedFrom: '2027-06-01' };
    const requests = 'requests?key=key_01j9z3v8k6e5t8m2n4p6q8r0s7';
    const pages: Record<PendingNotice['kind'], [page: string, facts: Partial<PendingNotice>]> = {
      key_expires: ['keys', ofKey],
      key_leaked: [requests, ofKey],
      key_in_browser: [`${requests}&code=browser_use`, ofKey],
      event_scopes: ['overview', { ...ofKey, withheld }],
      deprecation_announced: ['requests?view=deprecated', { ...ofKey, deprecation }],
      installation_paused: [`installations/history?server=${server.id}`, { ...ofKey, server }],
      installation_revoked: [`installations/history?server=${server.id}`, { ...ofKey, server }],
      endpoint_failing: [endpoint, {}],
      endpoint_disabled: [endpoint, {}],
      endpoint_recovered: [endpoint, {}],
      endpoint_keys_end: [endpoint, {}],
      delivery_exhausted: [`${endpoint}?status=failed&delivery=${delivery}`, { deliveryId: delivery }],
    };
    // A decision about live access is announced by the Console itself, with its own link.
    expect([...Object.keys(pages), 'live_access_decided'].toSorted()).toEqual([...SENT_KINDS].toSorted());
    const app = 'https://console.test/sandbox/org_01j9z3v8k6e5t8m2n4p6q8r0s4/apps/app_01j9z3v8k6e5t8m2n4p6q8r0s4';
    for (const [kind, [page, facts]] of Object.entries(pages)) {
      const changes = { ...facts, kind: kind as PendingNotice['kind'] }; // a key of the table
      expect([kind, messageOf({ ...notice, ...changes }, 'sandbox', 'https://console.test').link]).toEqual([
        kind,
        `${app}/${page}`,
      ]);
      expect(mail(changes).text.split('\n').at(-1)).toBe(`${app}/${page}`);
    }
  });

  test('the mail of several causes numbers them, counts further notices, and links to the settings once', () => {
    const one = { subject: 'One', text: 'First.' };
    const two = { subject: 'Two', text: 'Second.' };
    const single = combineMessages([{ waiting: [one], further: 0 }], 'https://console.test/notices');
    expect(single.subject).toBe('One');
    expect(single.text).toMatch(/^First\.\n\nYou receive this mail because .*\nhttps:\/\/console\.test\/notices\n$/s);
    const several = combineMessages(
      [
        { waiting: [one], further: 0 },
        { waiting: [two], further: 7 },
      ],
      'https://console.test/notices',
    );
    expect(several.subject).toBe('9 notices from Slipway');
    expect(several.text).toMatch(/^1\. One\n\nFirst\.\n\n2\. Two\n\nSecond\.\n\n3\. 7 further: Two\n\n/);
    expect(several.text.split('https://console.test/notices')).toHaveLength(2);
  });

  test('the subject of a mail is one line', () => {
    for (const kind of [
      'key_expires',
      'key_leaked',
      'key_in_browser',
      'endpoint_failing',
      'endpoint_disabled',
      'endpoint_keys_end',
    ] as const)
      expect(mail({ kind }).subject).not.toMatch(/[\r\n]/);
  });
});
