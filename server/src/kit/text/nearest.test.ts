import { expect, test } from 'vitest';
import { nearestTo } from './nearest.ts';

const OPERATIONS = ['listServers', 'getServer', 'createTicket', 'getMe'];

test.each([
  ['getServers', ['getServer', 'listServers']],
  ['listservers', ['listServers']],
  ['createTickets', ['createTicket']],
  ['gteMe', ['getMe']],
  ['servers:read', []],
  ['', []],
  ['x'.repeat(100), []],
])('suggests for %s at most two words, the nearest first', (typed, meant) => {
  expect(nearestTo(typed, OPERATIONS)).toEqual(meant);
});
