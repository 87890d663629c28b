// Reads the settings of the monitoring listener and of the shutdown delay. Returns a sentence if a setting is invalid.
import type { SettingName } from './settings.ts';

export interface MonitoringSettings {
  host: string;
  /** Undefined if it is not set: each role has its own default. */
  port: number | 'off' | undefined;
  stopDelayMs: number;
}

const MAX_DELAY_S = 300;

export function readMonitoring(
  get: (name: SettingName) => string,
  find: (name: SettingName) => string | undefined,
): MonitoringSettings | string {
  const text = find('SLIPWAY_MONITORING_PORT');
  const port = text === undefined || text === 'off' ? text : Number(text);
  if (typeof port === 'number' && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    return 'SLIPWAY_MONITORING_PORT must be a port number or `off`.';
  }
  const delay = Number(get('SLIPWAY_SHUTDOWN_DELAY_SECONDS'));
  if (!Number.isInteger(delay) || delay < 0 || delay > MAX_DELAY_S) {
    return `SLIPWAY_SHUTDOWN_DELAY_SECONDS must be a whole number from 0 to ${MAX_DELAY_S}.`;
  }
  return { host: get('SLIPWAY_MONITORING_HOST'), port, stopDelayMs: delay * 1000 };
}
