// The codes of an authenticator: a second implementation of RFC 6238, independent of the library.
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Person } from '../src/identity/sessions/index.ts';
import type { TestConsole, TestVisitor } from './console-app.ts';

/**
 * Returns the code of a 30-second step: 0 is the current one, 1 the next. The server accepts its current step and the
 * steps before and after, so both codes hold if a step passes before the server compares them. The code of an earlier
 * step would not.
 */
export function codeOf(uri: string, step: 0 | 1): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

interface EnrolledFactor {
  uri: string;
  recoveryCodes: string[];
  /** The code that confirmed the second factor. */
  used: string;
}

/** Confirms with the code of the current step; the code of the next one, `codeOf(uri, 1)`, is never the same. */
export async function enrolSecondFactor(visitor: TestVisitor): Promise<EnrolledFactor> {
  const enrolled = await visitor.call<{ uri: string; recoveryCodes: string[] }>('POST', '/api/second-factor', {});
  const used = codeOf(enrolled.body.uri, 0);
  const confirmed = await visitor.call('POST', '/api/second-factor/confirm', { code: used });
  expect([confirmed.status, confirmed.text]).toEqual([204, '']);
  return { ...enrolled.body, used };
}

/** Begins a sign-in that waits for the second factor. Signs in by a link, because hashing a password is slow on purpose. */
export async function beginSignIn(site: TestConsole, person: Person): Promise<TestVisitor> {
  const visitor = site.newVisitor();
  expect(await visitor.signInByLink(person)).toBe(200);
  return visitor;
}
