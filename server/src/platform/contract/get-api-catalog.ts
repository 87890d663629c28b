import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, strictObject, Type, text } from '../../kit/http/schema.ts';

const link = (description: string) =>
  Type.Array(
    strictObject({
      href: text('The address of the document.', { maxLength: 2048 }),
      type: text('The media type of the document.', { maxLength: 100 }),
    }),
    { minItems: 1, maxItems: 1, description },
  );

const ApiCatalog = namedObject('ApiCatalog', 'The APIs of this host (RFC 9727), as a set of links (RFC 9264).', {
  linkset: Type.Array(
    strictObject({
      anchor: text('The address of the API.', { maxLength: 2048 }),
      'service-desc': link('The machine-readable description of the API.'),
    }),
    { minItems: 1, maxItems: 1, description: 'One entry per API.' },
  ),
});

export const getApiCatalog = operation({
  id: 'getApiCatalog',
  route: 'GET /.well-known/api-catalog',
  tag: 'Contract',
  summary: 'Find the contract',
  description: 'Returns the addresses of this API and of its OpenAPI document, at the well-known location of RFC 9727.',
  access: allowAnyone(),
  replies: ok(
    'The catalogue.',
    ApiCatalog,
    {
      aCatalogue: {
        linkset: [
          {
            anchor: 'http://localhost:4000/v1',
            'service-desc': [{ href: 'http://localhost:4000/v1/openapi.json', type: 'application/openapi+json' }],
          },
        ],
      },
    },
    { contentType: 'application/linkset+json' },
  ),
  async run({ plane }) {
    const anchor = `${plane.urls.public}/v1`;
    const description = { href: `${anchor}/openapi.json`, type: 'application/openapi+json' };
    return {
      status: 200,
      json: JSON.stringify({ linkset: [{ anchor, 'service-desc': [description] }] }),
      headers: { 'cache-control': 'public, max-age=300' },
    };
  },
});
