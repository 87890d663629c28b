// Reads the peppers from the settings, by version: the current one, and others under which keys are still verified.

import type { Environment, Peppers } from '../access/authority/index.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import type { Config } from './config.ts';
import { settingOf } from './plane-settings.ts';
import { readVersions } from './secret-versions.ts';

const MIN_CHARACTERS = 32;

/** Reads the peppers. `current` is the text of the current one, which may have been generated. */
export function readPeppers(
  config: Pick<Config, 'find'>,
  current: Secret,
  environment: Environment = 'sandbox',
): Peppers {
  return readVersions(config, current, {
    name: 'pepper',
    version: settingOf(environment, 'PEPPER_VERSION'),
    others: settingOf(environment, 'OTHER_PEPPERS'),
    refuse: (text) => (text.length < MIN_CHARACTERS ? `has fewer than ${MIN_CHARACTERS} characters` : undefined),
  });
}
