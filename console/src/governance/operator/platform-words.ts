// Describes failures of the upstream API and what to check.
import type { UpstreamFailure } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export interface FailureWords {
  tone: Tone;
  badge: string;
  mend: string;
}

const AWAY = 'Look at the network between Slipway and the platform, and at its load.';

export const FAILURE_WORDS: Record<UpstreamFailure['kind'], FailureWords> = {
  form: { tone: 'bad', badge: 'breaks the contract', mend: 'What it answers does not fit /v1/openapi.json.' },
  status: { tone: 'bad', badge: 'wrong status', mend: 'It answered with a status that means nothing here.' },
  configuration: { tone: 'bad', badge: 'does not know us', mend: 'Both sides need the same identity key and address.' },
  too_large: { tone: 'bad', badge: 'no end', mend: 'An answer has 8 MiB at most.' },
  broken: { tone: 'bad', badge: 'broke off', mend: AWAY },
  timeout: { tone: 'warning', badge: 'too late', mend: AWAY },
  unreachable: { tone: 'warning', badge: 'not reached', mend: AWAY },
};
