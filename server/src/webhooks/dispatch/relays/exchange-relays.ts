import { allowAppManagement } from '../../../access/authority/index.ts';
import { toId, toUuid } from '../../../kit/crypto/ids.ts';
import { unseal } from '../../../kit/crypto/seal.ts';
import { ok, operation } from '../../../kit/http/operation.ts';
import { problem } from '../../../kit/openapi/problems.ts';
import { endpointParams, findEndpointRow } from '../../webhooks/index.ts';
import { exampleRelay, type Relay, RelayExchange, relayBinding, TakenRelays } from './relay.ts';
import { recordRelayAnswers, takeRelays } from './relay-store.ts';

export const exchangeRelays = operation({
  id: 'exchangeRelays',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/relays',
  tag: 'Webhooks',
  summary: 'Listen for deliveries',
  description:
    'Reports the responses to requests that were taken earlier, and takes the requests that wait. The endpoint’s address must be a listener (`listener:NAME`, only in the sandbox). Each request is a delivery attempt that a worker is making now, signed and permitted like every other attempt. A request fails if it is not taken within five seconds, or if no response is reported within fifteen seconds. The reported response is recorded as the attempt’s response. A request that was taken a second ago and is missing from `inFlightIds` is handed out again, so run one listener at a time. `slipway listen` calls this operation several times a second.',
  access: allowAppManagement('endpoints.change'),
  params: endpointParams,
  body: RelayExchange,
  examples: {
    anAnswer: {
      answers: [
        { id: exampleRelay.id, status: 204, headers: { server: 'localhost' }, bodyBase64: '', isBodyTruncated: false },
      ],
      inFlightIds: [],
      limit: 6,
    },
    noAnswer: {
      answers: [{ id: exampleRelay.id, failure: 'connect', detail: 'Nothing listens on port 3000.' }],
      inFlightIds: [],
      limit: 6,
    },
  },
  replies: ok('The requests to forward.', TakenRelays, { oneMore: { data: [exampleRelay], late: [] } }),
  async run({ plane, tenant }, { ids: { endpointId }, body }) {
    if (!(await findEndpointRow(tenant, endpointId))) throw problem('not_found');
    const answers = body.answers.map((answer) => ({ relayId: toUuid('rly', answer.id), answer }));
    const known = answers.length === 0 ? new Set() : await recordRelayAnswers(tenant, endpointId, answers);
    const inFlightIds = body.inFlightIds.map((id) => toUuid('rly', id));
    const relays = body.limit === 0 ? [] : await takeRelays(tenant, endpointId, inFlightIds, body.limit);
    const data = relays.map(({ relay_id, request }): Relay => {
      const sealed = unseal(request, relayBinding(relay_id), plane.secrets.masterKeys);
      return { id: toId('rly', relay_id), ...JSON.parse(sealed.reveal()) };
    });
    const late = answers.filter(({ relayId }) => !known.has(relayId)).map(({ answer }) => answer.id);
    return { status: 200, body: { data, late }, headers: { 'cache-control': 'no-store' } };
  },
});
