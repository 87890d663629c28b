// A fault: a rule by which a share of an app's calls meets an effect, to test how an integration handles errors.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { SANDBOX_PROBLEM_CODES } from '../../access/problems/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  idSchema,
  integer,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { ProblemCode } from '../../kit/openapi/problems.ts';

export const MAX_LATENCY_MS = 30_000;

const FaultId = idSchema('flt', "The rule's identifier.");
export const faultParams = strictObject({ organisationId: OrganisationId, appId: AppId, faultId: FaultId });

/** The effect on a call: it waits and then continues, gets a problem, or loses its connection. */
export interface Effect {
  latencyMs?: number;
  code?: ProblemCode;
  reset?: boolean;
}

const latencyMs = integer('Delay before the effect, in milliseconds.', 1, MAX_LATENCY_MS);
const EffectSchema = namedSchema(
  'FaultEffect',
  Type.Union(
    [
      describedObject('The call is delayed.', { latencyMs }),
      describedObject('The call receives a problem.', {
        code: oneOf(SANDBOX_PROBLEM_CODES, 'The problem that the call receives.'),
        latencyMs: Type.Optional(latencyMs),
      }),
      describedObject('The connection of the call is reset.', {
        reset: Type.Unsafe<true>({
          type: 'boolean',
          enum: [true],
          description: 'The call receives no response: its connection is reset.',
        }),
        latencyMs: Type.Optional(latencyMs),
      }),
    ],
    { description: 'The effect on a call.' },
  ),
);

const share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The share of calls that the rule applies to: 0.1 is 10 %.',
});
const isEnabled = Type.Boolean({ description: 'A disabled rule has no effect.' });

export const Fault = namedObject('Fault', 'A rule that simulates a fault for calls of the app.', {
  id: FaultId,
  operationId: nullable(text('The operation of /v1 that the rule applies to; null for all.', { maxLength: 100 })),
  share,
  effect: EffectSchema,
  isEnabled,
  createdBy: text('The member who added the rule.', { maxLength: 320 }),
  createdAt: dateTime('When the rule was added.'),
});
export type Fault = Omit<Static<typeof Fault>, 'effect'> & { effect: Effect };

export function newFaultSchema(operationIds: readonly string[]) {
  return namedObject('FaultInput', 'A rule to add. The rule applies to calls that begin after the response.', {
    operationId: nullable(oneOf(operationIds, 'The operation of /v1 that the rule applies to; null for all.')),
    share,
    effect: EffectSchema,
  });
}

export const FaultChange = namedObject('FaultChange', 'A change to a rule. A field that is left out keeps its value.', {
  share: Type.Optional(share),
  isEnabled: Type.Optional(isEnabled),
});

/** Returns the reason why an effect is invalid; undefined if it is valid. */
export function explainInvalidEffect(effect: Effect): string | undefined {
  if (effect.code !== undefined && effect.reset) return 'must contain a problem or a reset, not both';
  const isSome = effect.latencyMs !== undefined || effect.code !== undefined || effect.reset;
  return isSome ? undefined : 'must contain a latency, a problem or a reset';
}

/** Returns the effect in the syntax of the headers Sandbox-Simulate and Sandbox-Simulated, and of request records. */
export function effectText({ latencyMs, code, reset }: Effect): string {
  const parts = [latencyMs && `latency=${latencyMs}`, code && `code=${code}`, reset && 'reset'];
  return parts.filter(Boolean).join(', ');
}

export type FaultRule = Pick<Fault, 'operationId' | 'share' | 'effect'>;

/**
 * Returns the combined effect of the rules, which must be oldest first. Each rule draws separately. If several rules
 * hit, the longest latency and the first effect that ends the call apply.
 */
export function drawEffect(rules: readonly FaultRule[], operationId: string, draw: () => number): Effect | undefined {
  let drawn: Effect | undefined;
  for (const rule of rules) {
    if (rule.operationId !== null && rule.operationId !== operationId) continue;
    if (draw() >= rule.share) continue;
    drawn = drawn ? combine(drawn, rule.effect) : rule.effect;
  }
  return drawn;
}

function combine(first: Effect, second: Effect): Effect {
  const latencyMs = Math.max(first.latencyMs ?? 0, second.latencyMs ?? 0);
  const { code, reset } = first.code !== undefined || first.reset ? first : second;
  return { ...(latencyMs > 0 && { latencyMs }), ...(code !== undefined && { code }), ...(reset && { reset }) };
}

export interface FaultRow {
  fault_id: string;
  operation_id: string | null;
  share: number;
  latency_ms: number | null;
  problem_code: ProblemCode | null;
  is_reset: boolean;
  is_enabled: boolean;
  created_by: string;
  created_at: Date;
}

export function toRule(row: FaultRow): FaultRule {
  const { latency_ms: latencyMs, problem_code: code, is_reset: reset } = row;
  return {
    operationId: row.operation_id,
    share: row.share,
    effect: { ...(latencyMs !== null && { latencyMs }), ...(code !== null && { code }), ...(reset && { reset }) },
  };
}

export function toFault(row: FaultRow): Fault {
  return {
    id: toId('flt', row.fault_id),
    ...toRule(row),
    isEnabled: row.is_enabled,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

export const exampleFault: Fault = {
  id: 'flt_01j9z3v8k6e5t8m2n4p6q8r0sc',
  operationId: 'createTicket',
  share: 0.1,
  effect: { latencyMs: 500, code: 'unavailable' },
  isEnabled: true,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};
