// Labels and tones of live access states and evidence.
import type { Evidence, LiveAccess, LiveAccessRequest } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export const STATE_LABELS: Record<LiveAccessRequest['state'], readonly [Tone, string]> = {
  draft: ['none', 'draft'],
  submitted: ['waiting', 'waits for review'],
  changes_requested: ['warning', 'changes requested'],
  approved: ['good', 'approved'],
  rejected: ['bad', 'rejected'],
  withdrawn: ['none', 'withdrawn'],
};

export const STATUS_LABELS: Record<LiveAccess['status'], readonly [Tone, string]> = {
  active: ['good', 'active'],
  suspended: ['warning', 'suspended'],
  revoked: ['bad', 'revoked'],
};

export const ITEM_LABELS: Record<Evidence['items'][number]['name'], string> = {
  error_handling: 'Recovers from errors',
  idempotent_retries: 'Retries safely',
  receiver_drill: 'Receivers pass a drill',
  no_browser_use: 'No key in a browser',
  current_versions: 'No deprecated use',
};

const ACTIONS: Record<string, string> = {
  draft: 'drafted it',
  edit: 'edited it',
  submit: 'submitted it',
  withdraw: 'withdrew it',
  request_changes: 'requested changes',
  approve: 'approved it',
  reject: 'rejected it',
  suspend: 'suspended live access',
  resume: 'resumed live access',
  revoke: 'revoked live access',
};

export const describeStep = (action: string): string => ACTIONS[action] ?? action;

export const isOpen = (state: LiveAccessRequest['state']): boolean =>
  state === 'draft' || state === 'submitted' || state === 'changes_requested';

export const isEditable = (state: LiveAccessRequest['state']): boolean =>
  state === 'draft' || state === 'changes_requested';
