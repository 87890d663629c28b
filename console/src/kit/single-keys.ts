// Switch for single-key shortcuts, stored in this browser. Speech input or a tremor can trigger them unintentionally,
// so they can be switched off (WCAG 2.1.4).
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
