// Commands for sandbox data and for fault rules.
import { type CommandSpec, number, option, required } from '../command.ts';

const SEED = option('--seed <text>', 'what the world is derived from');
const EPOCH = option('--epoch <number>', 'another epoch gives every object another identifier', number);
const QUESTION = 'Make the world of the app anew?';

export const world: readonly CommandSpec[] = [
  { name: 'show', operation: 'getWorld', summary: 'say what the world holds' },
  {
    name: 'reset',
    operation: 'resetWorld',
    summary: 'make the same world anew',
    body: [SEED, EPOCH],
    question: QUESTION,
  },
  {
    name: 'preset',
    args: '<preset>',
    operation: 'resetWorld',
    summary: 'make another: empty, small, busy, unicode or large',
    body: [SEED, EPOCH],
    question: QUESTION,
  },
  {
    name: 'clock',
    operation: 'setWorldClock',
    summary: 'set how fast it lives',
    body: [required('--speed <speed>', 'paused, 1x, 10x, 60x or 3600x')],
  },
];

const SHARE = 'the share of the calls that meet it: 0.1 is a tenth';
const EFFECT = [
  {
    ...option('--code <code>', 'the problem that it is answered with: rate_limited, unavailable, ...'),
    field: 'effect.code',
  },
  { ...option('--latency-ms <ms>', 'how long it waits first', number), field: 'effect.latencyMs' },
  { ...option('--reset', 'no answer: its connection is reset'), field: 'effect.reset' },
];

export const faults: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listFaults',
    summary: 'list the rules by which calls meet faults',
    columns: ['id', 'operationId', 'share', 'effect', 'isEnabled'],
  },
  {
    name: 'create',
    operation: 'createFault',
    summary: 'add a rule; it holds from now on',
    body: [
      option('--operation-id <operationId>', 'only calls of this operation'),
      option('--share <share>', `${SHARE} (1)`, number),
      ...EFFECT,
    ],
    fixed: { operationId: null, share: 1, effect: {} },
  },
  {
    name: 'set-share',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'let a rule meet more calls or fewer',
    body: [required('--share <share>', SHARE, number)],
  },
  {
    name: 'enable',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'switch a rule on',
    fixed: { isEnabled: true },
  },
  {
    name: 'disable',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'switch a rule off',
    fixed: { isEnabled: false },
  },
  {
    name: 'delete',
    args: '<faultId>',
    operation: 'deleteFault',
    summary: 'delete a rule',
    done: 'Deleted {faultId}.',
  },
];
