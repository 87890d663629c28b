// The header Sandbox-Simulate: the effect that a single call requests, in the syntax in which the response names its
// effect.
import { SANDBOX_PROBLEM_CODES } from '../../access/problems/index.ts';
import { type ProblemCode, problem } from '../../kit/openapi/problems.ts';
import { type Effect, explainInvalidEffect, MAX_LATENCY_MS } from './fault.ts';

export const SIMULATE_HEADER = 'Sandbox-Simulate';
export const SIMULATED_HEADER = 'Sandbox-Simulated';

const SYNTAX = `must be code=<code>, latency=<1 to ${MAX_LATENCY_MS}> (milliseconds) or reset, or a latency and one of the others separated by a comma; the codes are ${SANDBOX_PROBLEM_CODES.join(', ')}`;

export function parseSimulate(header: string): Effect {
  const effect: Effect = {};
  for (const part of header.split(',')) Object.assign(effect, requireUnset(parsePart(part.trim()), effect));
  if (explainInvalidEffect(effect) !== undefined) throw invalidHeader();
  return effect;
}

function parsePart(part: string): Effect {
  if (part === 'reset') return { reset: true };
  const [, name, value = ''] = /^(code|latency)=([a-z_]+|[0-9]{1,5})$/.exec(part) ?? [];
  const code = SANDBOX_PROBLEM_CODES.find((known): known is ProblemCode => known === value);
  if (name === 'code' && code !== undefined) return { code };
  const latencyMs = Number(value);
  if (name === 'latency' && latencyMs >= 1 && latencyMs <= MAX_LATENCY_MS) return { latencyMs };
  throw invalidHeader();
}

function requireUnset(part: Effect, before: Effect): Effect {
  if (Object.keys(part).some((name) => Object.hasOwn(before, name))) throw invalidHeader();
  return part;
}

function invalidHeader() {
  return problem('invalid_request', { errors: [{ pointer: `/header/${SIMULATE_HEADER}`, detail: SYNTAX }] });
}

const LATENCY = 'latency=([1-9][0-9]{0,3}|[12][0-9]{4}|30000)';
const OTHER = `(code=(${SANDBOX_PROBLEM_CODES.join('|')})|reset)`;

const simulateParameter = {
  name: SIMULATE_HEADER,
  in: 'header',
  required: false,
  description: `Sandbox only: the fault to simulate for this call. Unless the fault is a latency alone, the call does not reach the operation and writes nothing. The response names the fault in \`${SIMULATED_HEADER}\`, and the record of the request stores it. The caller is authenticated first. \`code=rate_limited\` requests this problem, \`reset\` no response, and \`latency=1500\` the usual response 1.5 seconds later. A latency is at most ${MAX_LATENCY_MS} ms and can precede a problem or a reset: \`latency=500, code=timeout\`.`,
  schema: {
    type: 'string',
    minLength: 5,
    maxLength: 100,
    pattern: `^ *(${LATENCY}( *, *${OTHER})?|${OTHER}( *, *${LATENCY})?) *$`,
  },
  // Tools send the example with every call, so it must not change the response.
  example: 'latency=1',
} as const;

/** The part of the sandbox's contract that describes the header, once for all operations. */
export const simulationInContract = {
  parameters: { SandboxSimulate: simulateParameter },
  headers: [SIMULATED_HEADER],
} as const;
