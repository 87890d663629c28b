// Lists every keyboard shortcut of the Console, for the shortcut sheet.
import { useOs } from '@mantine/hooks';

/** In the syntax of `useHotkeys`. */
export const KEYS = { palette: 'mod+K', shortcuts: 'shift+?' } as const;

export interface Shortcut {
  /** Keys to press together. "mod" is named after the system. */
  keys: readonly string[];
  does: string;
}

export const SHORTCUTS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: ['mod', 'K'], does: 'Open the command palette, or close it' },
      { keys: ['?'], does: 'Show this sheet' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    where: 'In the command palette',
    shortcuts: [
      { keys: ['↑'], does: 'The command before' },
      { keys: ['↓'], does: 'The command after' },
      { keys: ['Enter'], does: 'Do it' },
    ],
  },
  {
    where: 'In the reference',
    shortcuts: [{ keys: ['/'], does: 'Search' }],
  },
];

export function useKeyNames(): { mod: string } {
  const os = useOs({ getValueInEffect: false });
  return { mod: os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl' };
}
