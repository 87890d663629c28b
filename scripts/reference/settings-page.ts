// Generates docs/reference/settings.md: the table of settings, with the roles that read each setting.
import { PRODUCTION_SETTINGS, SANDBOX_SETTINGS, type Setting } from '../../server/src/config/plane-settings.ts';
import { GENERAL, rolesOf } from '../../server/src/config/settings.ts';

function tableOf(settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(
    ([name, { meaning, remark, default: preset }]) =>
      `| \`${name}\` | ${rolesOf(name) ?? ''} | ${remark ? `${meaning} ${remark}` : meaning} | ${preset ? `\`${preset}\`` : ''} |`,
  );
  return ['| setting | read by | meaning | default |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Returns the content of docs/reference/settings.md. */
export const settingsPage = (): string => `# Settings

Generated from \`server/src/config/settings.ts\` by \`npm run contract\`. Do not edit.

All settings are environment variables. A process refuses a \`SLIPWAY_\` name that is not in these tables, and an incomplete configuration, with a sentence that names the missing part.
\`slipway-server check ROLE\` lists missing settings of a role. \`SLIPWAY_KEY\`, \`SLIPWAY_TOKEN\` and \`SLIPWAY_API_URL\` belong to the CLI.

## General

${tableOf(GENERAL)}

## Sandbox

${tableOf(SANDBOX_SETTINGS)}

## Production

${tableOf(PRODUCTION_SETTINGS)}
`;
