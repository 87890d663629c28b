import { expect, test } from 'vitest';
import type { ManagedAppContext } from '../../access/authority/index.ts';
import { validateSettings } from './validate-settings.ts';

test('only the sandbox allows a faster retry schedule', async () => {
  // Nothing else of the context is used here.
  const inside = (environment: 'sandbox' | 'production') =>
    ({ plane: { environment } }) as unknown as ManagedAppContext;
  const refused = [{ pointer: '/scheduleSpeed', detail: 'must be 1 outside the sandbox' }];
  const received = ['ping'];
  expect(await validateSettings(inside('production'), { received, scheduleSpeed: 60 })).toEqual(refused);
  expect(await validateSettings(inside('production'), { received, scheduleSpeed: 1 })).toEqual([]);
  expect(await validateSettings(inside('sandbox'), { received, scheduleSpeed: 3600 })).toEqual([]);
});
