import { allowAppManagement, appParams, KeyId } from '../../access/authority/index.ts';
import { firstUuidAt, toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, namedObject, nullable, strictObject, Type, text } from '../../kit/http/schema.ts';
import { formatTime, readTimeSpan } from '../../kit/text/time-span.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { NO_OPERATION, requestFilterQuery } from './request-filter.ts';
import { exampleRequest } from './request-record.ts';
import { toSearchedUntil } from './request-summary.ts';
import { planByValues } from './search-store.ts';
import { findValues, MAX_VALUES } from './summary-store.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** The number of records that are read, newest first. */
const MAX_READ = 50_000;

const RequestValues = namedObject('RequestValues', 'The values that requests of the app have, for a filter.', {
  statuses: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
    maxItems: MAX_VALUES,
    description: 'Statuses.',
  }),
  codes: Type.Array(text('The problem’s code.', { maxLength: 50 }), {
    maxItems: MAX_VALUES,
    description: 'Problem codes.',
  }),
  operationIds: Type.Array(text('The operation.', { maxLength: 100 }), {
    maxItems: MAX_VALUES,
    description: `Operations; \`${NO_OPERATION}\` stands for requests that matched no operation.`,
  }),
  methods: Type.Array(text('The HTTP method.', { maxLength: 20 }), {
    maxItems: MAX_VALUES,
    description: 'HTTP methods.',
  }),
  keyIds: Type.Array(KeyId, { maxItems: MAX_VALUES, description: 'Keys.' }),
  serverIds: Type.Array(ServerId, { maxItems: MAX_VALUES, description: 'Servers.' }),
  since: dateTime('Start of the period.'),
  until: dateTime('End of the period.'),
  searchedUntil: nullable(
    dateTime(
      `Set if the period has more than ${MAX_READ.toLocaleString('en')} requests: values of requests before this time are not included.`,
    ),
  ),
});

export const getRequestValues = operation({
  id: 'getRequestValues',
  route: 'GET /organisations/{organisationId}/apps/{appId}/request-values',
  tag: 'Requests',
  summary: 'Get the values of requests',
  description: `Returns the statuses, problem codes, operations, methods, keys and servers that requests of the app have: the choices of a filter. Without \`since\` and \`until\`, covers the stored requests of the last ${DEFAULT_DAYS} days.`,
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject({ since: requestFilterQuery.since, until: requestFilterQuery.until }),
  replies: ok('The values.', RequestValues, {
    aDay: {
      statuses: [200, 403],
      codes: ['missing_scope'],
      operationIds: ['createTicket', 'listServers'],
      methods: ['GET', 'POST'],
      keyIds: ['key_01j9z3v8k6e5t8m2n4p6q8r0s7'],
      serverIds: ['srv_01j9z3v8k6e5t8m2n4p6q8r0s2'],
      since: '2026-10-03T10:16:00.000Z',
      until: exampleRequest.at,
      searchedUntil: null,
    },
  }),
  async run({ tenant }, { query }) {
    const { sinceMs, untilMs } = readTimeSpan(query, nowMs(), DEFAULT_DAYS * DAY_MS);
    planByValues(tenant);
    const range = { from: firstUuidAt(sinceMs), before: firstUuidAt(untilMs) };
    const { examined, reached, keys, servers, ...values } = await findValues(tenant, range, MAX_READ);
    return {
      status: 200,
      body: {
        statuses: values.statuses,
        codes: values.codes,
        operationIds: values.operations,
        methods: values.methods,
        keyIds: keys.map((uuid) => toId('key', uuid)),
        serverIds: servers.map((uuid) => toId('srv', uuid)),
        since: formatTime(sinceMs),
        until: formatTime(untilMs),
        searchedUntil: toSearchedUntil({ examined, reached }, MAX_READ),
      },
    };
  },
});
