// `dispatch.fixture.ts` compares every delivery in the dispatcher's tests with the table of headers. These tests check
// that comparison, and the header that only some installations send.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { type Span, setTracer } from '../../../kit/telemetry/trace.ts';
import { changeHeaders } from '../../webhooks/custom-headers.ts';
import { DELIVERY_HEADERS } from '../../webhooks/delivery-headers.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';
import { headerErrors } from './delivery-headers.fixture.ts';

test.each(Object.keys(DELIVERY_HEADERS))('%s cannot be set by the owner of an endpoint', (name) => {
  expect(changeHeaders(new Map(), { [name]: 'v' }).errors).toMatchObject([{ detail: 'must not be a reserved header' }]);
});

describe('traceparent header of an attempt', () => {
  let world: DispatchFixture;
  beforeEach(async () => {
    world = await testWorld();
  });
  afterEach(async () => {
    setTracer(undefined);
    await world.close();
  });

  /** Makes two attempts of one delivery; the first fails. */
  async function twoAttempts() {
    const { url, received } = await world.receiver((response, _received, index) =>
      response.writeHead(index === 0 ? 500 : 204).end(),
    );
    await world.addEndpoint(url, await world.addKey());
    await world.dispatcher();
    await world.emit();
    await until(() => received.length === 1);
    await until(async () => {
      await world.rows("update queue set due_at = clock_timestamp() where state = 'waiting'");
      return received.length === 2;
    });
    return received.map(({ headers }) => headers);
  }

  test('each attempt sends its own traceparent if tracing is on', async () => {
    const ids = Array.from({ length: 2 }, (_, index) => `00-${String(index + 1).repeat(32)}-${'a'.repeat(16)}-01`);
    const unusedIds = [...ids];
    const begin = (name: string): Span => {
      const traceparent =
        (name === 'webhook attempt' && unusedIds.shift()) || `00-${'f'.repeat(32)}-${'b'.repeat(16)}-00`;
      return { traceparent, begin, end: () => {} };
    };
    setTracer({ scope: 'test', begin, receive: () => begin('request') });
    const sent = await twoAttempts();
    expect(sent.map(({ traceparent }) => traceparent)).toEqual(ids);
    expect(sent.flatMap(headerErrors)).toEqual([]);
  });

  test('no traceparent is sent if tracing is off, and missing, malformed or unlisted headers are reported', async () => {
    const [first = {}] = await twoAttempts();
    expect([first.traceparent, headerErrors(first)]).toEqual([undefined, []]);
    expect(headerErrors({ ...first, 'slipway-attempt': undefined })).toEqual(['slipway-attempt']);
    expect(headerErrors({ ...first, traceparent: 'a text', 'slipway-new': '1', baggage: 'a=b' })).toEqual([
      'slipway-new',
      'baggage',
      'traceparent',
    ]);
  });
});
