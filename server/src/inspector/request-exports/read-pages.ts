// The requests of an export, page by page. Access is checked again for each page, and nothing is held between two
// pages.

import type { appParams, Environment } from '../../access/authority/index.ts';
import type { StreamContext } from '../../identity/sessions/index.ts';
import type { OpenStream } from '../../kit/http/open-streams.ts';
import type { Static } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { KeptRequest, RequestFilterQuery } from '../requests/index.ts';

const PAGE = 100;

interface RequestPage {
  data: KeptRequest[];
  nextCursor: string | null;
}

/**
 * Yields pages of requests, newest first. Throws if it cannot continue, because a partial export could be mistaken for
 * a complete one.
 */
export async function* readPages(
  open: OpenStream,
  { read }: StreamContext,
  environment: Environment,
  { organisationId, appId }: Static<typeof appParams>,
  input: RequestFilterQuery,
): AsyncGenerator<KeptRequest[]> {
  try {
    const path = `/organisations/${organisationId}/apps/${appId}/kept-requests`;
    for (let cursor: string | undefined; ; ) {
      const page = open.hasEnded()
        ? undefined
        : await read<RequestPage>(environment, path, { ...input, limit: PAGE, cursor });
      if (!page) throw problem('unavailable');
      yield page.data;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  } finally {
    open.close();
  }
}
