// The formats of chats and on-call services. Their limits are those of the published documentation, to which
// test/message-schemas names the sources. Servers and members chose parts of the texts, so every text is sent as plain
// text: none of it can add a link, a mention or formatting.
import { toId } from '../../kit/crypto/ids.ts';
import type { ClaimedMessage } from './store.ts';

type ChatMessage = Pick<
  ClaimedMessage,
  'kind' | 'environment' | 'cause' | 'organisation_id' | 'notices' | 'further' | 'begun_at'
>;

interface ShownNotice {
  title: string;
  text: string;
  link: string;
}

/** Returns the text, cut to `max` UTF-16 units. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** Returns the first notice of the message, and the number of others of its cause. */
function toShownNotice({ notices: [first], further, notices }: ChatMessage): ShownNotice {
  if (first === undefined) throw new Error('A message has at least one notice.');
  const others = notices.length - 1 + further;
  const counted = others === 0 ? [] : [`Further notices of this cause: ${others}. The Console lists each of them.`];
  return { title: first.subject, text: [first.text, ...counted].join('\n\n'), link: first.link };
}

const LINK_TEXT = 'Open in the Console';

// https://docs.slack.dev/reference/block-kit/blocks
const SLACK_MAX_HEADER = 150;
const SLACK_MAX_SECTION = 3_000;

/** Escapes the three characters that begin a link or a mention in Slack's own markup. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the body of a request to an incoming webhook of Slack. */
export function toSlackMessage(message: ChatMessage): object {
  const { title, text, link } = toShownNotice(message);
  const plainText = (shown: string, max: number) => ({ type: 'plain_text', text: cut(shown, max), emoji: false });
  return {
    // Notifications show this text in place of the blocks.
    text: escapeSlack(cut(title, SLACK_MAX_HEADER)),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plainText(title, SLACK_MAX_HEADER) },
      { type: 'section', text: plainText(text, SLACK_MAX_SECTION) },
      { type: 'section', text: { type: 'mrkdwn', text: `<${escapeSlack(link)}|${LINK_TEXT}>` } },
    ],
  };
}

// https://learn.microsoft.com/microsoftteams/limits-specifications-teams: 28 KB. A KB is counted as 1,000 bytes.
const TEAMS_MAX_BYTES = 28_000;
const TEAMS_MAX_TITLE = 300;
const TEAMS_MAX_TEXT = 4_000;

/**
 * Returns the body of a request to a workflow of Microsoft Teams: a message with an Adaptive Card. Each paragraph takes
 * a block of the card and a character up to six bytes, so the text is cut until the message is small enough.
 */
export function toTeamsMessage(message: ChatMessage): object {
  const shown = toShownNotice(message);
  for (let maxText = TEAMS_MAX_TEXT; ; maxText = Math.floor(maxText * 0.9)) {
    const body = toTeamsCard(shown, maxText);
    if (maxText === 0 || Buffer.byteLength(JSON.stringify(body)) <= TEAMS_MAX_BYTES) return body;
  }
}

function toTeamsCard({ title, text, link }: ShownNotice, maxText: number): object {
  // A run of text shows no Markdown, unlike a TextBlock.
  const block = (run: object) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block({ text: cut(title, TEAMS_MAX_TITLE), weight: 'Bolder', size: 'Medium' }),
      ...cut(text, maxText)
        .split(/\n+/)
        .map((paragraph) => block({ text: paragraph })),
    ],
    actions: [{ type: 'Action.OpenUrl', title: LINK_TEXT, url: link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

const SEVERITIES: Record<ChatMessage['kind'], 'critical' | 'error' | 'warning' | 'info'> = {
  key_leaked: 'critical',
  endpoint_disabled: 'error',
  delivery_exhausted: 'error',
  installation_revoked: 'error',
  installation_paused: 'warning',
  deprecation_announced: 'warning',
  endpoint_failing: 'warning',
  endpoint_keys_end: 'warning',
  key_expires: 'warning',
  key_in_browser: 'warning',
  event_scopes: 'warning',
  endpoint_recovered: 'info',
  live_access_decided: 'info',
  test: 'info',
};

const PAGERDUTY_MAX_SUMMARY = 1_024;
const PAGERDUTY_MAX_TEXT = 10_000;

/** Notices of these kinds about one endpoint are one alert, which its recovery resolves. */
const ENDPOINT_ALERTS: readonly ChatMessage['kind'][] = [
  'endpoint_failing',
  'endpoint_disabled',
  'delivery_exhausted',
  'endpoint_recovered',
];

/**
 * Returns the body of a request to the Events API v2 of PagerDuty. Notices of one cause are one alert, and so are the
 * failures of one endpoint.
 */
export function toPagerDutyEvent(message: ChatMessage, routingKey: string): object {
  const { title, text, link } = toShownNotice(message);
  const { kind, environment, cause } = message;
  return {
    routing_key: routingKey,
    event_action: kind === 'endpoint_recovered' ? 'resolve' : 'trigger',
    dedup_key: `slipway ${environment} ${ENDPOINT_ALERTS.includes(kind) ? cause.replace(kind, 'endpoint') : cause}`,
    client: 'Slipway',
    client_url: link,
    links: [{ href: link, text: LINK_TEXT }],
    payload: {
      summary: cut(title, PAGERDUTY_MAX_SUMMARY),
      source: new URL(link).host,
      severity: SEVERITIES[kind],
      timestamp: message.begun_at.toISOString(),
      class: kind,
      custom_details: {
        text: cut(text, PAGERDUTY_MAX_TEXT),
        environment,
        organisation: toId('org', message.organisation_id),
      },
    },
  };
}
