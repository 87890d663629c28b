import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberWrite } from '../../identity/sessions/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { seal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  bindingOf,
  CreatedNoticeDestination,
  environmentsOf,
  exampleDestination,
  MAX_DESTINATIONS,
  NoticeDestinationInput,
  toDestination,
  validateDestination,
} from './destination.ts';
import { countDestinations, insertDestination } from './store.ts';

export const createNoticeDestination = operation({
  id: 'createNoticeDestination',
  route: 'POST /api/organisations/{organisationId}/notice-destinations',
  tag: 'Notices',
  summary: 'Create a destination of notices',
  description:
    'Creates a destination that receives the notices of the organisation: at most one message an hour about one cause. A webhook is signed by Standard Webhooks with the secret of the response, which is shown only once. Slack, Microsoft Teams and PagerDuty receive messages in their own formats, and notices of production only. The address and the routing key are stored encrypted and cannot be read later. Without `environments`, a webhook receives the notices of the sandbox and of production. An organisation has at most 50 destinations.',
  access: allowMemberWrite('endpoints.change'),
  params: organisationParams,
  body: NoticeDestinationInput,
  examples: {
    aWebhook: { kind: 'webhook', name: 'Alerts', url: 'https://alerts.example.org/slipway' },
    pagerDuty: {
      kind: 'pagerduty',
      name: 'On-call',
      url: 'https://events.pagerduty.com/v2/enqueue',
      routingKey: '0123456789abcdef0123456789abcdef',
    },
  },
  replies: created('The destination and its signing secret.', CreatedNoticeDestination, {
    aWebhook: {
      destination: { ...exampleDestination, lastAttempt: null, lastSuccessAt: null },
      signingSecret: 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=',
    },
  }),
  problems: ['quota_exceeded'],
  async run({ services, actor, tx, audit }, { body }) {
    const { sealingKeys, refuseUrl } = services.destinations;
    const { kind, name, url, routingKey, mutedKinds = [] } = body;
    const environments = environmentsOf(body);
    const errors = validateDestination(body, refuseUrl);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    if ((await countDestinations(tx, actor.organisationId)) >= MAX_DESTINATIONS) {
      throw problem('quota_exceeded', {
        detail: `An organisation has at most ${MAX_DESTINATIONS} destinations of notices.`,
      });
    }
    const destinationId = newUuid();
    const signingSecret = kind === 'webhook' ? createSigningSecret() : null;
    const sealedWith = signingSecret ?? (routingKey === undefined ? null : secret(routingKey));
    const row = await insertDestination(tx, {
      organisationId: actor.organisationId,
      destinationId,
      kind,
      name,
      host: new URL(url).host,
      sealedUrl: seal(secret(url), bindingOf(destinationId, 'url'), sealingKeys),
      sealedSecret: sealedWith && seal(sealedWith, bindingOf(destinationId, 'secret'), sealingKeys),
      environments,
      mutedKinds,
      createdBy: actor.name,
    });
    const destination = toDestination(row);
    audit('notice_destination.create', destination.id, {
      kind,
      name,
      host: destination.host,
      environments,
      mutedKinds,
    });
    return {
      status: 201,
      body: { destination, signingSecret: signingSecret?.reveal() ?? null },
      headers: { 'cache-control': 'no-store' },
    };
  },
});
