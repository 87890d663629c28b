// Describes failures of the upstream API and what to check.
import type { UpstreamFailure } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export interface FailureText {
  tone: Tone;
  badge: string;
  fix: string;
}

const UNREACHABLE_FIX = 'Check the network between Slipway and the upstream API, and the load of the upstream API.';

export const FAILURE_TEXTS: Record<UpstreamFailure['kind'], FailureText> = {
  form: { tone: 'bad', badge: 'breaks the contract', fix: 'The response does not match /v1/openapi.json.' },
  status: { tone: 'bad', badge: 'wrong status', fix: 'The response has an unexpected status.' },
  configuration: {
    tone: 'bad',
    badge: 'does not accept Slipway',
    fix: 'Both sides need the same identity key and address.',
  },
  too_large: { tone: 'bad', badge: 'no end', fix: 'A response has at most 8 MiB.' },
  broken: { tone: 'bad', badge: 'broke off', fix: UNREACHABLE_FIX },
  timeout: { tone: 'warning', badge: 'too late', fix: UNREACHABLE_FIX },
  unreachable: { tone: 'warning', badge: 'not reached', fix: UNREACHABLE_FIX },
};
