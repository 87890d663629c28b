// A process that runs an example of docs/webhooks/receiving.md, and the checks that a receiver must pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { seal } from '../src/kit/crypto/seal.ts';
import type { Secret } from '../src/kit/crypto/secret.ts';
import { createSigningSecret, sign } from '../src/kit/crypto/standard-webhooks.ts';
import { nowMs } from '../src/kit/flow/clock.ts';
import { createOutboundClient } from '../src/kit/outbound/outbound.ts';
import { type DispatchFixture, deliveriesOf } from '../src/webhooks/dispatch/dispatch.fixture.ts';
import { startDispatcher } from '../src/webhooks/dispatch/dispatch-webhooks.job.ts';
import { secretBinding } from '../src/webhooks/webhooks/endpoint.ts';
import { until } from './harness.ts';

export interface Program {
  url: string;
  /** The lines that it has printed. */
  lines: string[];
  stop(): Promise<void>;
}

/** Runs an example as the guide says, and waits until it listens. */
export async function runExample(command: string, file: string, code: string, secrets: string): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-receiver-'));
  writeFileSync(join(folder, file), code);
  const env = { PATH: process.env.PATH ?? '', SIGNING_SECRETS: secrets, PORT: '0' };
  const child = spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const errors: string[] = [];
  child.on('error', (error) => errors.push(`${command} cannot be run, which this example needs: ${error.message}`));
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const port = await until(() => {
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return /^listening on (\d+)$/.exec(lines[0] ?? '')?.[1];
  });
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    lines,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
      expect(errors).toEqual([]);
    },
  };
}

interface Post {
  secrets: readonly Secret[];
  body: string;
  seconds?: number;
  headers?: Record<string, string | undefined>;
}

/** Sends a message, which is signed now by default, and returns the status of the response. */
async function post(url: string, { secrets, body, seconds = 0, headers = {} }: Post): Promise<number> {
  const { id }: { id: string } = JSON.parse(body);
  const timestamp = Math.floor(nowMs() / 1000) + seconds;
  const all: Record<string, string | undefined> = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, id, timestamp, body),
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return (await fetch(url, { method: 'POST', headers: given, body })).status;
}

/** Sends real deliveries, one of them during a rotation, and then all kinds of other messages. */
export async function checkReceiver(
  world: DispatchFixture,
  start: (secret: string) => Promise<Program>,
): Promise<void> {
  await world.rows('delete from endpoints');
  const keyId = await world.addKey();
  const { endpointId, secret } = await world.addEndpoint('https://receiver.example.org/hooks', keyId);
  const program = await start(secret.reveal());
  const { url, lines } = program;
  await world.rows('update endpoints set url = $1', [url]);
  const outbound = createOutboundClient({ allowHosts: [new URL(url).host] });
  const { masterKeys } = world.plane.secrets;
  const dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: world.dispatch,
    outbound,
    masterKeys,
    log: () => {},
  });
  const delivered = async (count: number) => {
    await world.emit();
    dispatcher.wake();
    return until(async () => {
      const all = (await deliveriesOf(world)).filter(({ status }) => status === 'succeeded');
      return lines.length === count + 1 && all.length >= count && all;
    });
  };
  try {
    await delivered(1);
    const successor = createSigningSecret();
    await world.rows(
      `update endpoints set sealed_previous_secret = sealed_secret, sealed_secret = $1, secret_rotated_at = now(),
        previous_secret_ends_at = now() + interval '1 day'`,
      [seal(successor, secretBinding(endpointId), masterKeys)],
    );
    await delivered(2);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^new evt_/), expect.stringMatching(/^new evt_/)]);
    const [{ body } = { body: '' }] = await world.rows<{ body: string }>(
      'select body from events order by event_id limit 1',
    );
    await checkAnswers(url, { secrets: [secret], body }, successor);
    expect(lines).toHaveLength(3); // none of them was another event
    const event = JSON.parse(body);
    const later = JSON.stringify({ ...event, id: `${event.id}x`, sequence: 7 });
    const earlier = JSON.stringify({ ...event, id: `${event.id}y`, sequence: 6 });
    expect(await post(url, { secrets: [secret], body: later })).toBe(204);
    expect(await post(url, { secrets: [secret], body: earlier })).toBe(204);
    await until(() => lines.length === 5);
    expect(lines.slice(3)).toEqual([`new ${JSON.parse(later).id}`, `old ${JSON.parse(earlier).id}`]);
  } finally {
    await dispatcher.stop();
    await outbound.close();
    await program.stop();
  }
}

async function checkAnswers(url: string, message: Post, stranger: Secret): Promise<void> {
  const { secrets, body } = message;
  const [secret] = secrets;
  if (!secret) throw new Error('The message must have a secret.');
  const answers: Record<string, [Post, number]> = {
    'a repeated message': [message, 204],
    'signed with two secrets': [{ ...message, secrets: [stranger, secret] }, 204],
    'four minutes late': [{ ...message, seconds: -240 }, 204],
    'six minutes late': [{ ...message, seconds: -360 }, 400],
    'six minutes ahead': [{ ...message, seconds: 360 }, 400],
    'signed with another secret': [{ ...message, secrets: [stranger] }, 400],
    'with another id': [{ ...message, headers: { 'webhook-id': 'evt_another' } }, 400],
    'with another timestamp': [
      { ...message, headers: { 'webhook-timestamp': String(Math.floor(nowMs() / 1000) + 2) } },
      400,
    ],
    'with a timestamp that is not a number': [{ ...message, headers: { 'webhook-timestamp': 'now' } }, 400],
    'without a signature': [{ ...message, headers: { 'webhook-signature': undefined } }, 400],
    'with an empty signature': [{ ...message, headers: { 'webhook-signature': 'v1,' } }, 400],
    'without an id': [{ ...message, headers: { 'webhook-id': undefined } }, 400],
    'without a timestamp': [{ ...message, headers: { 'webhook-timestamp': undefined } }, 400],
  };
  const statuses = await Promise.all(
    Object.entries(answers).map(async ([name, [one]]) => [name, await post(url, one)]),
  );
  expect(Object.fromEntries(statuses)).toEqual(
    Object.fromEntries(Object.entries(answers).map(([name, [, status]]) => [name, status])),
  );
  const other = `${body.slice(0, -1)} }`;
  const id = { 'webhook-signature': sign([secret], JSON.parse(body).id, Math.floor(nowMs() / 1000), body) };
  expect(await post(url, { secrets, body: other, headers: id })).toBe(400);
}
