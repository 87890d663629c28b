import { expect, test } from 'vitest';
import type { AppContext } from '../../access/authority/index.ts';
import { refuseSettings } from './refuse-settings.ts';

test('only the sandbox allows a faster retry schedule', async () => {
  // Nothing else of the context is used here.
  const inside = (environment: 'sandbox' | 'production') => ({ plane: { environment } }) as unknown as AppContext;
  const refused = [{ pointer: '/scheduleSpeed', detail: 'must be 1 outside the sandbox' }];
  const eventTypes = ['ping'];
  expect(await refuseSettings(inside('production'), { eventTypes, scheduleSpeed: 60 })).toEqual(refused);
  expect(await refuseSettings(inside('production'), { eventTypes, scheduleSpeed: 1 })).toEqual([]);
  expect(await refuseSettings(inside('sandbox'), { eventTypes, scheduleSpeed: 3600 })).toEqual([]);
});
