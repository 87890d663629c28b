import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { endsMs } from '../../kit/http/deprecation.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { nullable, oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { DeprecationAnswer, DeprecationId, toDeprecationAnswer } from './deprecated-use.ts';
import { ALL_DEPRECATIONS } from './deprecations.ts';
import { deleteAnswer, upsertAnswer } from './store.ts';

const AnswerRequest = strictObject({
  status: oneOf(
    ['unanswered', 'acknowledged', 'snoozed'],
    '`acknowledged`: Slipway writes no further notice about the deprecation to the app. `snoozed`: no notice before `snoozedUntil`. `unanswered`: removes an earlier answer.',
  ),
  snoozedUntil: nullable(
    Type.String({
      format: 'date',
      minLength: 10,
      maxLength: 10,
      description: 'The day from which notices are written again, in UTC; null unless `status` is `snoozed`.',
    }),
  ),
});

export const answerDeprecation = operation({
  id: 'answerDeprecation',
  route: 'PUT /organisations/{organisationId}/apps/{appId}/deprecated-uses/{deprecationId}/answer',
  tag: 'Requests',
  summary: 'Acknowledge or snooze a deprecation',
  description:
    'Acknowledges or snoozes the notices about a deprecation for the app. The deprecation itself ends on its day.',
  access: allowAppManagement('notices.change'),
  params: strictObject({ ...appParams.properties, deprecationId: DeprecationId }),
  body: AnswerRequest,
  examples: { acknowledge: { status: 'acknowledged', snoozedUntil: null } },
  replies: ok('The answer.', DeprecationAnswer, {
    acknowledged: {
      status: 'acknowledged',
      snoozedUntil: null,
      answeredAt: '2026-12-02T10:15:30.000Z',
      answeredBy: 'imke@example.org',
    },
  }),
  async run({ actor, plane, tenant, audit }, { params, body }) {
    const deprecation = ALL_DEPRECATIONS.find(({ id }) => id === params.deprecationId);
    if (!deprecation) throw problem('not_found');
    const { status, snoozedUntil } = body;
    if ((status === 'snoozed') !== (snoozedUntil !== null)) {
      throw problem('invalid_request', {
        errors: [{ pointer: '/snoozedUntil', detail: 'must be a day if `status` is `snoozed`, and null otherwise' }],
      });
    }
    if (snoozedUntil !== null) {
      const day = Date.parse(snoozedUntil);
      if (day <= plane.deprecations.nowMs() || day >= endsMs(deprecation)) {
        throw problem('invalid_request', {
          errors: [{ pointer: '/snoozedUntil', detail: `must be a later day, before the end on ${deprecation.ends}` }],
        });
      }
    }
    audit('deprecation.answer', deprecation.id, body);
    if (status === 'unanswered') {
      await deleteAnswer(tenant, deprecation.id);
      return { status: 200, body: toDeprecationAnswer(undefined) };
    }
    const row = await upsertAnswer(tenant, deprecation.id, snoozedUntil, actor.name);
    return { status: 200, body: toDeprecationAnswer(row) };
  },
});
