import { createHash } from 'node:crypto';
import { type Plane, parseKeyToken, type WorkPort } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { github } from './github-signature.ts';
import { FeedbackList, type GithubFeedback, type GithubMatch, GithubMatches, toSafeUrl } from './leaked-key.ts';
import { type ReportingRequest, revokeLeakedKey } from './revoke-leaked-key.ts';

// The number of matches of one message that are handled concurrently. It keeps database connections free for other
// requests.
const MAX_CONCURRENT_MATCHES = 3;

export const reportGithubMatches = operation({
  id: 'reportGithubMatches',
  route: 'POST /v1/leaked-keys/github',
  tag: 'Leaked keys',
  summary: 'Report keys that GitHub found',
  description:
    "Receives the reports of GitHub's secret scanning and revokes each key of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message changes nothing and gets the same response.",
  access: github(),
  body: GithubMatches,
  examples: {
    asGithubDocumentsIt: [
      { source: 'commit', token: 'some_token', type: 'some_type', url: 'https://example.com/base-repo-url/' },
    ],
  },
  replies: ok('The classification of the matches, with the hash of each token.', FeedbackList, {
    noKey: [{ token_hash: hashOf('some_token'), token_type: 'some_type', label: 'false_positive' }],
  }),
  async run({ plane, ...report }, { body }) {
    const matches = uniqueMatches(body);
    const feedback: GithubFeedback[] = [];
    for (let at = 0; at < matches.length; at += MAX_CONCURRENT_MATCHES) {
      const some = matches.slice(at, at + MAX_CONCURRENT_MATCHES);
      const results = await Promise.all(some.map((match) => handleMatch(plane, match, report)));
      feedback.push(...results.filter((one) => one !== undefined));
    }
    return { status: 200, body: feedback, headers: { 'cache-control': 'no-store' } };
  },
});

/** Returns one match per key, because a key can occur in several places. */
function uniqueMatches(all: readonly GithubMatch[]): GithubMatch[] {
  const matches = new Map<string, GithubMatch>();
  for (const match of all) if (!matches.has(match.token)) matches.set(match.token, match);
  return [...matches.values()];
}

async function handleMatch(
  plane: WorkPort & Pick<Plane, 'keys'>,
  match: GithubMatch,
  report: ReportingRequest,
): Promise<GithubFeedback | undefined> {
  const environment = parseKeyToken(match.token)?.environment;
  if (environment !== undefined && environment !== plane.environment) return undefined;
  const key = await plane.keys.recognise(match.token);
  if (key) await revokeLeakedKey(plane, key, { reportedBy: 'github', leakUrl: toSafeUrl(match.url) }, report);
  return {
    token_hash: hashOf(match.token),
    token_type: match.type,
    label: key ? 'true_positive' : 'false_positive',
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
