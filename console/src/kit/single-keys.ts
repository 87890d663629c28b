// Keys that do something when they are pressed alone. Who speaks to their computer, or whose hands shake, presses them unasked: they can
// be switched off (WCAG 2.1.4), in this browser.
import { useHotkeys, useLocalStorage } from '@mantine/hooks';

export function useSingleKeys(): [areOn: boolean, switchTo: (areOn: boolean) => void] {
  const [areOn, switchTo] = useLocalStorage({
    key: 'slipway-single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [areOn, switchTo];
}

export function useSingleKey(key: string, act: () => void): void {
  const [areOn] = useSingleKeys();
  useHotkeys(areOn ? [[key, act]] : []);
}
