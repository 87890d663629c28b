// Commands for sandbox data and for fault rules.
import { type CommandSpec, number, option, required } from '../command.ts';

const SEED = option('--seed <text>', 'seed from which the sandbox data is derived');
const EPOCH = option('--epoch <number>', 'another number gives every object another identifier', number);
const QUESTION = 'Replace the sandbox data of the app?';

export const world: readonly CommandSpec[] = [
  {
    name: 'show',
    operation: 'getWorld',
    summary: 'show preset and object counts of the sandbox data',
    example: 'world show',
  },
  {
    name: 'reset',
    operation: 'resetWorld',
    summary: 'reset the sandbox data to its beginning',
    example: 'world reset',
    body: [SEED, EPOCH],
    question: QUESTION,
  },
  {
    name: 'preset',
    args: '<preset>',
    operation: 'resetWorld',
    summary: 'replace the sandbox data by a preset: empty, small, busy, unicode or large',
    example: 'world preset busy',
    body: [SEED, EPOCH],
    question: QUESTION,
  },
  {
    name: 'clock',
    operation: 'setWorldClock',
    summary: 'set the speed of the simulated clock',
    example: 'world clock --speed 60x',
    body: [required('--speed <speed>', 'paused, 1x, 10x, 60x or 3600x')],
  },
];

const SHARE = 'share of the matching calls: 0.1 is a tenth';
const EFFECT = [
  {
    ...option('--code <code>', 'problem of the response: rate_limited, unavailable, ...'),
    field: 'effect.code',
  },
  { ...option('--latency-ms <ms>', 'delay in milliseconds', number), field: 'effect.latencyMs' },
  { ...option('--reset', 'reset the connection without a response'), field: 'effect.reset' },
];

export const faults: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listFaults',
    summary: 'list fault rules',
    example: 'faults list',
    columns: ['id', 'operationId', 'share', 'effect', 'isEnabled'],
  },
  {
    name: 'create',
    operation: 'createFault',
    summary: 'create a fault rule, which applies immediately',
    example: 'faults create --operation-id createTicket --code unavailable --share 0.1',
    body: [
      option('--operation-id <operationId>', 'only this operation'),
      option('--share <share>', `${SHARE} (1)`, number),
      ...EFFECT,
    ],
    fixed: { operationId: null, share: 1, effect: {} },
  },
  {
    name: 'set-share',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'change the share of a fault rule',
    example: 'faults set-share flt_... --share 0.5',
    body: [required('--share <share>', SHARE, number)],
  },
  {
    name: 'enable',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'enable a fault rule',
    example: 'faults enable flt_...',
    fixed: { isEnabled: true },
  },
  {
    name: 'disable',
    args: '<faultId>',
    operation: 'updateFault',
    summary: 'disable a fault rule',
    example: 'faults disable flt_...',
    fixed: { isEnabled: false },
  },
  {
    name: 'delete',
    args: '<faultId>',
    operation: 'deleteFault',
    summary: 'delete a fault rule',
    example: 'faults delete flt_...',
    done: 'Deleted {faultId}.',
  },
];
