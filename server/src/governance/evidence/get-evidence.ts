import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { planByValues } from '../../inspector/requests/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { Evidence, exampleEvidence, MAX_DAYS, toEvidence } from './evidence.ts';
import { type EvidenceOperation, gatherEvidence } from './gather-evidence.ts';

export const getEvidence = (exercised: readonly EvidenceOperation[]) =>
  operation({
    id: 'getEvidence',
    route: 'GET /organisations/{organisationId}/apps/{appId}/evidence',
    tag: 'Live access',
    summary: 'Get the evidence of an app',
    description: `Returns evidence of the app’s behaviour in the sandbox in the last ${MAX_DAYS} days, or since its requests are stored: \`since\` states the start. The evidence covers successful calls per scope, recovery after errors, safe repetition, webhook receivers, keys in browsers and deprecated versions. Each check reads a bounded number of records. Submitting a request for live access freezes the evidence.`,
    access: allowAppManagement('requests.read'),
    params: appParams,
    replies: ok('The current evidence.', Evidence, { ofAnApp: exampleEvidence }),
    async run({ tenant, app }) {
      planByValues(tenant);
      const { period, found } = await gatherEvidence(tenant, exercised);
      return { status: 200, body: toEvidence(app.app_id, period, found) };
    },
  });
