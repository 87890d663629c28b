import { createHash } from 'node:crypto';
import { type Plane, parseKeyToken } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { endLeakedKey, type Report } from './end-leaked-key.ts';
import { github } from './github-signature.ts';
import { type Feedback, FeedbackList, foundAt, type Match, Matches } from './leaked-key.ts';

// The number of matches of one message that are handled concurrently. It keeps database connections free for other
// requests.
const AT_A_TIME = 3;

export const reportGithubMatches = operation({
  id: 'reportGithubMatches',
  method: 'POST',
  path: '/v1/leaked-keys/github',
  tag: 'Leaked keys',
  summary: 'Report keys that GitHub found',
  description:
    "Receives the reports of GitHub's secret scanning and revokes each key of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message changes nothing and gets the same response.",
  access: github(),
  body: Matches,
  examples: {
    asGithubDocumentsIt: [
      { source: 'commit', token: 'some_token', type: 'some_type', url: 'https://example.com/base-repo-url/' },
    ],
  },
  replies: {
    200: {
      description: 'The classification of the matches, with the hash of each token.',
      schema: FeedbackList,
      examples: {
        noKey: [{ token_hash: hashOf('some_token'), token_type: 'some_type', label: 'false_positive' }],
      },
    },
  },
  async run({ plane, ...report }, { body }) {
    const matches = firstOfEach(body);
    const feedback: Feedback[] = [];
    for (let at = 0; at < matches.length; at += AT_A_TIME) {
      const some = matches.slice(at, at + AT_A_TIME);
      const judged = await Promise.all(some.map((match) => judge(plane, match, report)));
      feedback.push(...judged.filter((one) => one !== undefined));
    }
    return { status: 200, body: feedback, headers: { 'cache-control': 'no-store' } };
  },
});

/** Returns one match per key, because a key can occur in several places. */
function firstOfEach(all: readonly Match[]): Match[] {
  const matches = new Map<string, Match>();
  for (const match of all) if (!matches.has(match.token)) matches.set(match.token, match);
  return [...matches.values()];
}

async function judge(plane: Plane, match: Match, report: Report): Promise<Feedback | undefined> {
  const environment = parseKeyToken(match.token)?.environment;
  if (environment !== undefined && environment !== plane.environment) return undefined;
  const key = await plane.recogniseKey(match.token);
  if (key) await endLeakedKey(plane, key, { reportedBy: 'github', foundAt: foundAt(match.url) }, report);
  return {
    token_hash: hashOf(match.token),
    token_type: match.type,
    label: key ? 'true_positive' : 'false_positive',
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
