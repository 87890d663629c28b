// Lists every keyboard shortcut of the Console, for the shortcut sheet.
import { useOs } from '@mantine/hooks';

/** In the syntax of `useHotkeys`. */
export const KEYS = { palette: 'mod+K', shortcuts: 'shift+?' } as const;

interface Shortcut {
  /** Keys to press together. "mod" is named after the system. */
  keys: readonly string[];
  does: string;
}

export const SHORTCUTS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: ['mod', 'K'], does: 'Open or close the command palette' },
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Esc'], does: 'Close the open dialog' },
    ],
  },
  {
    where: 'In the command palette',
    shortcuts: [
      { keys: ['↑'], does: 'Previous command' },
      { keys: ['↓'], does: 'Next command' },
      { keys: ['Enter'], does: 'Run the command' },
    ],
  },
  {
    where: 'In a list of requests, events, deliveries or objects',
    shortcuts: [
      { keys: ['j'], does: 'Open the next row' },
      { keys: ['k'], does: 'Open the previous row' },
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
