// Returns an SDK call as a Node program. The credential is read from the environment and is never part of the text.
import { KEY_VARIABLE, TOKEN_VARIABLE } from './curl.ts';
import { OWN_CONTRACT } from './own-contract.ts';

interface SdkClient {
  module: string;
  maker: string;
  name: string;
  /** Name of the credential's option, and the variable that holds it. */
  secret: string;
  variable: string;
}

/** `slipway-server contract sdk` writes the client of the contract of an operator. */
export const PUBLIC_CLIENT: SdkClient = {
  ...(OWN_CONTRACT
    ? { module: './client.js', maker: 'createApi', name: 'api' }
    : { module: '@slipway/sdk', maker: 'createSlipway', name: 'slipway' }),
  secret: 'key',
  variable: KEY_VARIABLE,
};

export const MANAGEMENT_CLIENT: SdkClient = {
  module: '@slipway/sdk/management',
  maker: 'createManagement',
  name: 'management',
  secret: 'token',
  variable: TOKEN_VARIABLE,
};

/**
 * Returns the program. `inputs` is the JavaScript between the parentheses of the call. `environment` is given if the
 * client must name it.
 */
export function sdkCall(
  client: SdkClient,
  baseUrl: string,
  operationId: string,
  inputs: string,
  environment?: string,
): string {
  const environmentOption = environment === undefined ? '' : `\n  environment: ${JSON.stringify(environment)},`;
  return `import { env } from 'node:process';
import { ${client.maker} } from '${client.module}';

const ${client.name} = ${client.maker}({
  baseUrl: ${JSON.stringify(baseUrl)},
  ${client.secret}: env.${client.variable.slice(1)} ?? '',${environmentOption}
});

const answer = await ${client.name}.${operationId}(${inputs});`;
}
