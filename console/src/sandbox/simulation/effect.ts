// A simulated effect in four forms: form input, API value, `Sandbox-Simulate` header, and sentence.
import type { Fault } from '../../kit/api.ts';
import { grouped } from '../../kit/number.ts';

export type FaultEffect = Fault['effect'];
export type FaultCode = Extract<FaultEffect, { code: string }>['code'];

export const MAX_LATENCY_MS = 30_000;

export const EFFECT_KINDS = [
  { value: 'problem', label: 'A problem' },
  { value: 'latency', label: 'A delay' },
  { value: 'reset', label: 'A reset' },
] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number]['value'];

export interface EffectInput {
  kind: EffectKind;
  code: FaultCode;
  /** Value of the input. Empty: no delay. */
  latencyMs: number | string;
}

export const DEFAULT_EFFECT_INPUT: EffectInput = { kind: 'problem', code: 'rate_limited', latencyMs: '' };

/** Returns the effect for the API; undefined while the length of a delay is missing. */
export function effectOf({ kind, code, latencyMs }: EffectInput): FaultEffect | undefined {
  const delay = Number(latencyMs) > 0 ? { latencyMs: Number(latencyMs) } : undefined;
  if (kind === 'latency') return delay;
  return kind === 'reset' ? { reset: true, ...delay } : { code, ...delay };
}

export function headerOf(effect: FaultEffect): string {
  const parts = [
    effect.latencyMs === undefined ? [] : `latency=${effect.latencyMs}`,
    'code' in effect ? `code=${effect.code}` : [],
    'reset' in effect ? 'reset' : [],
  ];
  return parts.flat().join(', ');
}

function sentenceOf(effect: FaultEffect): string {
  const delay = effect.latencyMs === undefined ? '' : ` after ${grouped(effect.latencyMs)} ms`;
  if ('code' in effect) return `are answered ${effect.code}${delay}`;
  if ('reset' in effect) return `lose their connection${delay}`;
  return `continue${delay}`;
}

/** Describes the rule in one sentence without a full stop. */
export function ruleSentence({ operationId, share, effect }: Fault): string {
  const percent = (share * 100).toLocaleString('en', { maximumFractionDigits: 2 });
  const which = share === 1 ? 'All' : `${percent} % of the`;
  return `${which} calls of ${operationId ?? 'any operation'} ${sentenceOf(effect)}`;
}
