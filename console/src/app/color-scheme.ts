// Light, dark, or as the system has it: remembered in this browser, and set before the first picture.
// No inline script: the Content-Security-Policy allows none.
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'slipway-color-scheme' });

export function applyColorScheme(): void {
  const wanted = colorSchemeManager.get('auto');
  const isDark = wanted === 'dark' || (wanted === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
