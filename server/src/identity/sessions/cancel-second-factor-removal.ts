import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson } from './console-access.ts';
import { cancelRemoval } from './second-factor-removal-store.ts';

export const cancelSecondFactorRemoval = operation({
  id: 'cancelSecondFactorRemoval',
  route: 'DELETE /api/second-factor/removal',
  tag: 'Sessions',
  summary: 'Cancel the removal of the second factor',
  description: 'Cancels the pending removal. The second factor stays, and the person can create production keys again.',
  access: allowPerson(),
  replies: { 204: { description: 'The removal is cancelled.' } },
  problems: ['not_found'],
  async run({ services, person }) {
    if (!(await services.db.transaction((tx) => cancelRemoval(tx, person.id)))) throw problem('not_found');
    return { status: 204 };
  },
});
