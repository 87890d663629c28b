// The forecast of a change of one grant: of a server's installation or of one scope of it.
import type { ReactNode } from 'react';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import type { AppScope } from '../../kit/api.ts';
import type { GrantChange } from './use-installations.ts';

interface GrantForecastProps {
  app: AppScope;
  change: Pick<GrantChange, 'server' | 'scope'>;
  state: 'paused' | 'revoked';
}

export function GrantForecast({ app, change: { server, scope }, state }: GrantForecastProps): ReactNode {
  const grants = { serverIds: [server.serverId], ...(scope !== undefined && { scopes: [scope] }), state };
  return <ChangeForecast scope={app} change={{ grants }} />;
}
