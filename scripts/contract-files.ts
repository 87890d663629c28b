// The generated files: the contracts, the sources of the SDKs and the page of roles from the operations; the settings,
// the metrics, the dashboard and the alert rules from their tables; the log events from the server's sources.
import { type Document, generateSource } from '../sdk/generate.ts';
import { settingsPage } from '../server/src/config/settings.ts';
import { contractFiles, rolesFile } from '../server/src/listeners/contract.ts';
import { alertRules, dashboard, metricsPage } from '../server/src/platform/monitoring/index.ts';
import { goModels, goOperations } from './clients/go.ts';
import { readModel } from './clients/model.ts';
import { pythonModels, pythonOperations } from './clients/python.ts';
import { logEventsPage } from './log-events.ts';

const SDK_FILES: Record<string, string> = { 'openapi.json': 'public.ts', 'console.openapi.json': 'console.ts' };

/** Returns the generated sources of the SDKs for /v1 in other languages. */
function otherClients(document: Document, name: string): Record<string, string> {
  const model = readModel(document);
  return {
    'sdk-python/src/slipway/models.py': pythonModels(model, name),
    'sdk-python/src/slipway/_operations.py': pythonOperations(model, name),
    'sdk-go/models_generated.go': goModels(model, name),
    'sdk-go/operations_generated.go': goOperations(model, name),
  };
}

/** Returns the text of each generated file, by its path from the root. */
export async function wantedFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/log-events.md': logEventsPage(),
    'docs/reference/roles.md': rolesFile(),
    'docs/reference/metrics.md': metricsPage(),
    'deploy/monitoring/grafana-dashboard.json': dashboard(),
    'deploy/monitoring/alert-rules.yaml': alertRules(),
  };
  for (const [name, text] of Object.entries(contractFiles())) {
    files[`contract/${name}`] = text;
    const document = JSON.parse(text) as Document; // generated one line above
    files[`sdk/src/generated/${SDK_FILES[name]}`] = generateSource(document, name);
    if (name === 'openapi.json') Object.assign(files, otherClients(document, name));
  }
  return files;
}
