import { expect, test } from 'vitest';
import { findNearestWords } from './nearest-words.ts';

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
  expect(findNearestWords(typed, OPERATIONS)).toEqual(meant);
});
