// Tone of a message's state.
import type { Message } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export const MESSAGE_TONES: Record<Message['state'], Tone> = { waiting: 'waiting', sent: 'good', failed: 'bad' };
