// Reads how long records, events, held deliveries and captures are kept, and how much of a caller's address. Returns a sentence
// if a setting is invalid.
import type { Environment } from '../access/authority/index.ts';
import { ADDRESS_PRECISIONS, type AddressPrecision } from '../kit/outbound/addresses.ts';
import { captureSetting, settingOf } from './plane-settings.ts';
import type { SettingName } from './settings.ts';

// The retry schedule ends within four days, and five days of failures disable an endpoint.
const MIN_EVENT_DAYS = 7;
const MAX_EVENT_DAYS = 3_650;
const MAX_REQUEST_DAYS = 3_650;

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

export function readRetention(
  environment: Environment,
  get: (name: SettingName) => string,
): { requestDays: number; eventDays: number; heldDays: number } | string {
  const requestSetting = settingOf(environment, 'REQUEST_RETENTION_DAYS');
  const requestDays = Number(get(requestSetting));
  const eventSetting = settingOf(environment, 'EVENT_RETENTION_DAYS');
  const eventDays = Number(get(eventSetting));
  const heldSetting = settingOf(environment, 'HELD_DELIVERY_MAX_AGE_DAYS');
  const heldDays = Number(get(heldSetting));
  if (!isWhole(requestDays, 1, MAX_REQUEST_DAYS)) {
    return `${requestSetting} must be a whole number from 1 to ${MAX_REQUEST_DAYS}.`;
  }
  if (!isWhole(eventDays, MIN_EVENT_DAYS, MAX_EVENT_DAYS)) {
    return `${eventSetting} must be a whole number from ${MIN_EVENT_DAYS} to ${MAX_EVENT_DAYS}.`;
  }
  if (!isWhole(heldDays, 1, eventDays)) {
    return `${heldSetting} must be a whole number from 1 to ${eventDays}, the days that events are kept.`;
  }
  return { requestDays, eventDays, heldDays };
}

export function readClientAddresses(value: string): { keeping: AddressPrecision } | string {
  const keeping = ADDRESS_PRECISIONS.find((known) => known === value);
  return keeping ? { keeping } : `SLIPWAY_CLIENT_ADDRESSES must be one of ${ADDRESS_PRECISIONS.join(', ')}.`;
}

const MIN_CAPTURE_HOURS = 2;
const MAX_CAPTURE_HOURS = 168;

export interface CaptureSettings {
  isAllowed: boolean;
  retentionHours: number;
}

export function readCaptures(get: (name: SettingName) => string): CaptureSettings | string {
  const bodies = get(captureSetting('CAPTURE_BODIES'));
  if (bodies !== 'allowed' && bodies !== 'forbidden')
    return `${captureSetting('CAPTURE_BODIES')} must be \`allowed\` or \`forbidden\`.`;
  const retentionHours = Number(get(captureSetting('CAPTURE_RETENTION_HOURS')));
  if (!isWhole(retentionHours, MIN_CAPTURE_HOURS, MAX_CAPTURE_HOURS)) {
    return `${captureSetting('CAPTURE_RETENTION_HOURS')} must be a whole number from ${MIN_CAPTURE_HOURS} to ${MAX_CAPTURE_HOURS}.`;
  }
  return { isAllowed: bodies === 'allowed', retentionHours };
}
