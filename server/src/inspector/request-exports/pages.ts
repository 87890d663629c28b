// The requests of an export, page by page: each is read by somebody who may still read it, and nothing is held between them.

import type { appParams, Environment } from '../../access/authority/index.ts';
import type { FollowContext } from '../../identity/sessions/index.ts';
import type { OpenStream } from '../../kit/http/open-streams.ts';
import type { Static } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { FilterWish, KeptRequest } from '../requests/index.ts';

const PAGE = 100;

interface Page {
  data: KeptRequest[];
  nextCursor: string | null;
}

/** Newest first. Throws where it cannot go on: an export of which a part is missing would be taken for the whole. */
export async function* pagesOf(
  open: OpenStream,
  { read }: FollowContext,
  environment: Environment,
  { organisationId, appId }: Static<typeof appParams>,
  wish: FilterWish,
): AsyncGenerator<KeptRequest[]> {
  try {
    const path = `/organisations/${organisationId}/apps/${appId}/kept-requests`;
    for (let cursor: string | undefined; ; ) {
      const page = open.hasEnded() ? undefined : await read<Page>(environment, path, { ...wish, limit: PAGE, cursor });
      if (!page) throw problem('unavailable');
      yield page.data;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  } finally {
    open.close();
  }
}
