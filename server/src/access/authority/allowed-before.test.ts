import { expect, test } from 'vitest';
import { APART, createAllowedBefore } from './allowed-before.ts';

const OF = { keyId: 'a key', serverId: 'a server', scope: 'a scope' };

test('what was allowed is remembered, of its app, key, server and scope alone', () => {
  const all = createAllowedBefore(10);
  all.of('one').note(OF);
  expect(all.of('one').has({ ...OF })).toBe(true);
  expect(all.of('another').has(OF)).toBe(false);
  for (const other of [{ keyId: 'x' }, { serverId: 'x' }, { scope: 'x' }])
    expect(all.of('one').has({ ...OF, ...other })).toBe(false);
});

test('whose access was changed under a mutation is judged before it writes, and is apart until so many were allowed', () => {
  const all = createAllowedBefore(10);
  const [one, another] = [all.of('one'), all.of('another')];
  for (const app of [one, another]) app.note(OF);
  all.forget('one');
  expect([one.has(OF), another.has(OF)]).toEqual([false, true]);
  for (let times = 0; times < APART; times++) {
    expect([all.isApart('one'), all.isApart('another')]).toEqual([true, false]);
    one.note(OF);
    expect(one.has(OF)).toBe(true);
  }
  expect(all.isApart('one')).toBe(false);
});

test('no more is kept than may be, and what is forgotten makes room', () => {
  const all = createAllowedBefore(2);
  const noted = (keyId: string): boolean => all.of('one').has({ ...OF, keyId });
  for (const keyId of ['a', 'b']) all.of('one').note({ ...OF, keyId });
  expect([noted('a'), noted('b')]).toEqual([true, true]);
  all.of('another').note(OF);
  expect([noted('a'), noted('b'), all.of('another').has(OF)]).toEqual([false, false, true]);
});
