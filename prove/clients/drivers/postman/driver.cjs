// Imports openapi.json into a Postman collection, and runs it with newman. Prints the response of each request as a line of JSON.
const { readFileSync } = require('node:fs');
const newman = require('newman');
const { convert } = require('openapi-to-postmanv2');

const values = JSON.parse(process.env.PATH_VALUES);
// The examples of the document as values, and only the parameters that an operation requires.
const options = {
  requestParametersResolution: 'Example',
  parametersResolution: 'Example',
  enableOptionalParameters: false,
};

function setVariables(items) {
  for (const { item, request } of items) {
    if (item) setVariables(item);
    for (const variable of request?.url.variable ?? []) variable.value = values[variable.key] ?? variable.value;
  }
}

convert({ type: 'string', data: readFileSync('openapi.json', 'utf8') }, options, (error, result) => {
  if (error || !result.result) throw error ?? new Error(result.reason);
  const [{ data: collection }] = result.output;
  setVariables(collection.item);
  const envVar = [
    { key: 'baseUrl', value: process.env.API_URL },
    { key: 'bearerToken', value: process.env.API_KEY },
  ];
  newman.run({ collection, envVar, reporters: [] }, (failure, { run }) => {
    if (failure) throw failure;
    for (const { item, request, response, requestError } of run.executions) {
      const { name } = item;
      const line = { name, method: request.method, status: response?.code, error: requestError?.message };
      console.log(JSON.stringify(line));
    }
  });
});
