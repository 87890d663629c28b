// The generated files: the contracts, the SDK's sources and the page of roles from the operations; the README's
// settings, the metrics, the dashboard and the alert rules from their tables.
import { readFile } from 'node:fs/promises';
import { type Document, generateSource } from '../sdk/generate.ts';
import { settingsTable } from '../server/src/config/settings.ts';
import { contractFiles, rolesFile } from '../server/src/listeners/contract.ts';
import { alertRules, dashboard, metricsPage } from '../server/src/platform/monitoring/index.ts';

const SDK_FILES: Record<string, string> = { 'openapi.json': 'public.ts', 'console.openapi.json': 'console.ts' };

const SETTINGS_PART = /(<!-- settings: .* -->\n)[\s\S]*(<!-- \/settings -->)/;

/** Returns the text of each generated file, by its path from the root. */
export async function wantedFiles(): Promise<Record<string, string>> {
  const readme = await readFile('README.md', 'utf8');
  const files: Record<string, string> = {
    'README.md': readme.replace(SETTINGS_PART, `$1${settingsTable()}\n$2`),
    'docs/roles.md': rolesFile(),
    'docs/metrics.md': metricsPage(),
    'deploy/monitoring/grafana-dashboard.json': dashboard(),
    'deploy/monitoring/alert-rules.yaml': alertRules(),
  };
  for (const [name, text] of Object.entries(contractFiles())) {
    files[`contract/${name}`] = text;
    const document = JSON.parse(text) as Document; // generated one line above
    files[`sdk/src/generated/${SDK_FILES[name]}`] = generateSource(document, name);
  }
  return files;
}
