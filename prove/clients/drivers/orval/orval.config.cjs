// The base URL is in `servers` of the document.
module.exports = {
  client: {
    input: './openapi.json',
    output: { target: './client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
