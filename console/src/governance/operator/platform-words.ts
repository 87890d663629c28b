// Describes failures of the upstream API and what to check.
import type { UpstreamFailure } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export interface FailureWords {
  tone: Tone;
  badge: string;
  mend: string;
}

const AWAY = 'Check the network between Slipway and the upstream API, and the load of the upstream API.';

export const FAILURE_WORDS: Record<UpstreamFailure['kind'], FailureWords> = {
  form: { tone: 'bad', badge: 'breaks the contract', mend: 'The response does not match /v1/openapi.json.' },
  status: { tone: 'bad', badge: 'wrong status', mend: 'The response has an unexpected status.' },
  configuration: {
    tone: 'bad',
    badge: 'does not accept Slipway',
    mend: 'Both sides need the same identity key and address.',
  },
  too_large: { tone: 'bad', badge: 'no end', mend: 'A response has at most 8 MiB.' },
  broken: { tone: 'bad', badge: 'broke off', mend: AWAY },
  timeout: { tone: 'warning', badge: 'too late', mend: AWAY },
  unreachable: { tone: 'warning', badge: 'not reached', mend: AWAY },
};
