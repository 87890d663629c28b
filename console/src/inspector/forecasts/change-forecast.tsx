// Shows what a change would break, by the stored records of at most 30 days, before a member confirms the change.
import { Box, Text } from '@mantine/core';
import { type ForecastParts, forecastParts } from '@slipway/sdk/management';
import type { ReactNode } from 'react';
import type { AccessChangeInput, AccessForecast, AppScope } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { counted } from '../../kit/number.ts';
import { describeProblem } from '../../kit/problem-text.ts';
import { exactTime } from '../../kit/time.ts';
import { useForecast } from './use-forecast.ts';

interface ChangeForecastProps {
  scope: AppScope;
  change: AccessChangeInput;
  /** True if another key continues the deliveries, so that the change ends none. */
  keepsDeliveries?: boolean;
}

const DAY_MS = 86_400_000;

export function ChangeForecast({ scope, change, keepsDeliveries = false }: ChangeForecastProps): ReactNode {
  const { forecast, error } = useForecast(scope, change);
  const parts: ForecastParts = { ...forecastParts(change), ...(keepsDeliveries && { deliveries: 'none' }) };
  return (
    <Box role="status" aria-label="Forecast" mih={44} fz="sm">
      {error && (
        <Text fz="sm">
          The forecast failed. <Inline>{describeProblem(error).fix}</Inline>
        </Text>
      )}
      {!error && !forecast && <Text fz="sm">Reading the records …</Text>}
      {forecast && (
        <>
          {parts.requests && <RefusedRequests scope={scope} forecast={forecast} />}
          {parts.deliveries !== 'none' && (
            <StoppedDeliveries scope={scope} forecast={forecast} end={parts.deliveries} />
          )}
          <Text fz="sm" c="dimmed">
            {gapsOf(forecast, parts).join(' ')}
          </Text>
        </>
      )}
    </Box>
  );
}

interface PartProps {
  scope: AppScope;
  forecast: AccessForecast;
}

function RefusedRequests({ scope, forecast: { requests } }: PartProps): ReactNode {
  const { since, refused, keys, isKeyListComplete, newestId } = requests;
  const ofKeys = refused > 0 ? ` of ${isKeyListComplete ? '' : 'more than '}${counted(keys.length, 'key')}` : '';
  return (
    <Text fz="sm">
      Since {exactTime(since)}, this change would have refused {counted(refused, 'request')}
      {ofKeys}
      {newestId !== null && (
        <>
          {' '}
          (
          <AnchorLink
            to="/in/$organisationId/apps/$appId/requests"
            params={scope}
            search={{ request: newestId }}
            inherit
            underline="always"
          >
            newest request
          </AnchorLink>
          )
        </>
      )}
      .
    </Text>
  );
}

interface StoppedDeliveriesProps extends PartProps {
  /** How the change ends deliveries. Deliveries that end otherwise are named only if there are any. */
  end: ForecastParts['deliveries'];
}

function StoppedDeliveries({ scope, forecast: { deliveries }, end }: StoppedDeliveriesProps): ReactNode {
  const { since, newestId } = deliveries;
  const kinds = (['skipped', 'held'] as const)
    .filter((kind) => kind === end || deliveries[kind] > 0)
    .map((kind) => `${kind} ${counted(deliveries[kind], 'delivery', 'deliveries')}`);
  return (
    <Text fz="sm">
      Since {exactTime(since)}, this change would have {kinds.join(' and ')}
      {newestId !== null && (
        <>
          {' '}
          (
          <AnchorLink
            to="/in/$organisationId/apps/$appId/webhooks"
            params={scope}
            search={{ delivery: newestId }}
            inherit
            underline="always"
          >
            newest delivery
          </AnchorLink>
          )
        </>
      )}
      .
    </Text>
  );
}

/** Returns the progress, and what the records do not answer, as sentences. */
function gapsOf(forecast: AccessForecast, parts: ForecastParts): string[] {
  const { deliveries, progress } = forecast;
  return [
    ...(progress < 1 ? [`${Math.floor(progress * 100)} % of the records are read.`] : []),
    ...(parts.deliveries !== 'none' && deliveries.unknown > 0
      ? [`For ${counted(deliveries.unknown, 'delivery', 'deliveries')}, the event is no longer stored.`]
      : []),
    ...(parts.requests ? requestGapsOf(forecast) : []),
  ];
}

function requestGapsOf({ since, requests, lostRecords, oldestRecordAt }: AccessForecast): string[] {
  const { shortened, unknown } = requests;
  const isShort = oldestRecordAt !== null && Date.parse(oldestRecordAt) - Date.parse(since) > DAY_MS;
  return [
    ...(shortened > 0 ? [`${counted(shortened, 'list')} would have left out a server.`] : []),
    ...(unknown > 0 ? [`The records do not answer the question for ${counted(unknown, 'request')}.`] : []),
    ...(lostRecords > 0 ? [`For ${counted(lostRecords, 'request')}, the record was lost.`] : []),
    ...(oldestRecordAt === null ? ['There are no records of requests.'] : []),
    ...(isShort ? [`The oldest record is of ${exactTime(oldestRecordAt)}.`] : []),
  ];
}
