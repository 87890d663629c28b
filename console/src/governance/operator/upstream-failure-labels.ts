// Describes failures of the upstream API and what to check.
import type { UpstreamFailure } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

interface FailureText {
  tone: Tone;
  badge: string;
  fix: string;
}

const UNREACHABLE_FIX = 'Check the network between Slipway and the upstream API, and the load of the upstream API.';

export const FAILURE_TEXTS: Record<UpstreamFailure['kind'], FailureText> = {
  form: { tone: 'bad', badge: 'contract violation', fix: 'The response does not match /v1/openapi.json.' },
  status: { tone: 'bad', badge: 'wrong status', fix: 'The response has an unexpected status.' },
  configuration: {
    tone: 'bad',
    badge: 'credentials rejected',
    fix: 'Both sides need the same identity key and address.',
  },
  too_large: { tone: 'bad', badge: 'response too large', fix: 'A response has at most 8 MiB.' },
  broken: { tone: 'bad', badge: 'connection lost', fix: UNREACHABLE_FIX },
  timeout: { tone: 'warning', badge: 'timeout', fix: UNREACHABLE_FIX },
  unreachable: { tone: 'warning', badge: 'unreachable', fix: UNREACHABLE_FIX },
};
