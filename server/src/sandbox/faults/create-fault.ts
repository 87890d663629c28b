import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { effectText, exampleFault, Fault, newFaultSchema, toFault } from './fault.ts';
import { countFaults, insertFault } from './store.ts';

// Each call of the app is compared with all of its rules.
const MAX_FAULTS = 20;

/** Creates the operation. `operationIds` are the operations whose calls can meet a fault. */
export function createFault(operationIds: readonly string[]) {
  return operation({
    id: 'createFault',
    route: 'POST /organisations/{organisationId}/apps/{appId}/faults',
    tag: 'Faults',
    summary: 'Add a fault rule',
    description:
      'Adds a rule that simulates a fault for the given share of the app’s calls, from the response on. The response of such a call names the fault in the header `Sandbox-Simulated`, and the record of the request stores it. If several rules apply to a call, the longest latency applies, and of the other effects that of the oldest rule.',
    access: allowAppManagement('faults.change'),
    params: appParams,
    body: newFaultSchema(operationIds),
    examples: {
      aTenth: { operationId: exampleFault.operationId, share: exampleFault.share, effect: exampleFault.effect },
    },
    replies: created('The rule.', Fault, { aTenth: exampleFault }),
    problems: ['quota_exceeded'],
    async run({ actor, tenant, audit }, { body }) {
      if ((await countFaults(tenant)) >= MAX_FAULTS) {
        throw problem('quota_exceeded', { detail: `An app has at most ${MAX_FAULTS} fault rules.` });
      }
      const { operationId, share, effect } = body;
      const row = await insertFault(tenant, { faultId: newUuid(), operationId, share, effect, createdBy: actor.name });
      const fault = toFault(row);
      audit('fault.create', fault.id, { operationId, share, effect: effectText(effect) });
      return { status: 201, body: fault };
    },
  });
}
