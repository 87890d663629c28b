// The scenario of all SDKs with the TypeScript SDK. `npm run prove -- clients` also runs it with the Go SDK, whose
// compilation takes too long for the suite.
import { createSlipway, type Retry, SlipwayProblem } from '@slipway/sdk';
import * as webhooks from '@slipway/sdk/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Conformance,
  type Input,
  type Message,
  STEP_HEADER,
  type Step,
  startConformance,
} from './conformance.fixture.ts';
import { runDriver } from './conformance-driver.ts';
import { root } from './installed.ts';
import { checkGuide, checkReceiver, makeGoModule } from './readme.fixture.ts';
import { goPrograms } from './readme-programs.ts';

let conformance: Conformance;
beforeAll(async () => {
  conformance = await startConformance();
});
afterAll(() => conformance.close());

function verify({ body, headers, secrets, now }: Message): { outcome: string; event?: webhooks.WebhookEvent } {
  try {
    return { outcome: 'verified', event: webhooks.verify(body, headers, secrets, { now: new Date(now * 1000) }) };
  } catch (error) {
    if (error instanceof TypeError) return { outcome: 'malformed_secret' };
    return { outcome: error instanceof webhooks.WebhookVerificationError ? error.code : String(error) };
  }
}

async function perform(input: Input, step: Step): Promise<Record<string, unknown>> {
  const slipway = createSlipway({ baseUrl: input.apiUrl, key: step.key === 'narrow' ? input.narrowKey : input.key });
  const options = { headers: { [STEP_HEADER]: encodeURIComponent(step.name) } };
  const page = step.limit === undefined ? {} : { limit: step.limit };
  const create = () => {
    const { idempotencyKey } = step;
    const body = step.body ?? { subject: '', body: '' };
    return slipway.createTicket({ serverId: input.serverId, body }, { ...options, idempotencyKey }).withResponse();
  };
  switch (step.action) {
    case 'list': {
      const ids: string[] = [];
      for await (const server of slipway.listServers(page, options)) ids.push(server.id);
      let pages = 0;
      for await (const _ of slipway.listServers(page, options).pages()) pages += 1;
      return { ids, pages };
    }
    case 'feed': {
      const ids: string[] = [];
      for await (const event of slipway.listEvents(page, options)) ids.push(event.id);
      let pages = 0;
      for await (const _ of slipway.listEvents(page, options).pages()) pages += 1;
      return { ids, pages };
    }
    case 'tickets': {
      const listed = { serverId: input.serverId, ...page };
      const ids: string[] = [];
      for await (const ticket of slipway.listTickets(listed, options)) ids.push(ticket.id);
      let pages = 0;
      for await (const _ of slipway.listTickets(listed, options).pages()) pages += 1;
      return { ids, pages };
    }
    case 'create': {
      const { data, response } = await create();
      return { id: data.id, isReplayed: response.isReplayed, status: response.status };
    }
    case 'createTwice': {
      const answers = [await create(), await create()];
      return {
        ids: answers.map(({ data }) => data.id),
        isReplayed: answers.map(({ response }) => response.isReplayed),
        statuses: answers.map(({ response }) => response.status),
        priority: answers[0]?.data.priority,
      };
    }
    case 'refused':
      try {
        await slipway.listEvents(page, options);
        return { isProblem: false };
      } catch (error) {
        if (!(error instanceof SlipwayProblem)) throw error;
        const { status, code, requestId, retryAfter = null, errors } = error;
        const pointers = errors.map(({ pointer }) => pointer);
        return { isProblem: true, status, code, requestId, retryAfterSeconds: retryAfter, pointers };
      }
    case 'retried': {
      const retries: Record<string, unknown>[] = [];
      const onRetry = ({ error, attempt, maxAttempts }: Retry): void => {
        retries.push({ attempt, maxAttempts, code: error instanceof SlipwayProblem ? error.code : String(error) });
      };
      return { environment: (await slipway.getMe({}, { ...options, onRetry })).environment, retries };
    }
    case 'verify': {
      const verified = input.messages.map((message) => [message.name, verify(message)] as const);
      const event = verified[0]?.[1].event;
      return {
        outcomes: Object.fromEntries(verified.map(([name, { outcome }]) => [name, outcome])),
        event: event?.type === 'ticket.created' && {
          type: event.type,
          schemaVersion: event.schemaVersion,
          subject: event.data.subject,
        },
      };
    }
  }
}

test('the TypeScript SDK passes each step of the scenario', () =>
  conformance.check(async (input) => {
    const results: Record<string, unknown>[] = [];
    for (const step of input.steps) results.push({ name: step.name, ...(await perform(input, step)) });
    return results;
  }));

if (process.env.SLIPWAY_TEST_GO === '1') {
  const timeout = 300_000;

  test('the Go SDK passes each step of the scenario', { timeout }, () =>
    conformance.check((input) => runDriver(['go', 'run', './internal/conformance'], 'sdk-go', input)),
  );

  test('the examples of the README of the Go SDK run', { timeout }, async () => {
    const [guide = '', receiver = '', ...others] = goPrograms(root);
    expect(others).toEqual([]);
    await checkGuide(conformance.sandbox, [makeGoModule(guide)]);
    await checkReceiver([makeGoModule(receiver)]);
  });
}
