// Texts about captures.
import type { CaptureStatus } from '../../kit/api.ts';

const REASONS: Partial<Record<NonNullable<CaptureStatus['reason']>, string>> = {
  off: 'The app did not capture headers and bodies at the time, or has ended its captures since.',
  pending: 'Headers and bodies are being stored.',
  over_budget: 'They were not stored, because the app or the server had reached its limit of captured bytes.',
  expired: 'They were stored, and have expired.',
  lost: 'They could not be stored.',
};

/** Describes why no capture is stored. */
export function describeMissing({ reason }: CaptureStatus): string {
  return (reason !== null && REASONS[reason]) || 'They are not stored.';
}

const BODY_STATES: Partial<Record<NonNullable<CaptureStatus['requestBody']>, string>> = {
  none: 'without a body',
  masked: 'with masked values',
  cut: 'cut after 64 KiB',
  not_text: 'not stored: it was not read, or is neither JSON nor text',
};

/** Describes a body that is not stored whole; undefined for a whole one. */
export function describeBodyState(state: CaptureStatus['requestBody']): string | undefined {
  return state === null ? undefined : BODY_STATES[state];
}
