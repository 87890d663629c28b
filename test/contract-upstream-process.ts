// The API of an operator as a process: the reference upstream API of the contract that SLIPWAY_CONTRACT names. The
// argument is the JSON of its objects. It prints its address, then a line of JSON for each request.
import { startContractUpstream, type UpstreamRequest } from '../server/test/contract-upstream.ts';

export interface InitialObject {
  kind: string;
  fields: Record<string, unknown>;
  /** The position of the parent in the list. */
  parent?: number;
}

export type { UpstreamRequest };

const upstream = await startContractUpstream();
const objects = JSON.parse(process.argv[2] ?? '[]') as InitialObject[]; // the argument of the test
const added: ReturnType<typeof upstream.add>[] = [];
for (const { kind, fields, parent } of objects)
  added.push(upstream.add(kind, fields, parent === undefined ? undefined : added[parent]));
upstream.change = (_answer, request) => {
  console.log(JSON.stringify(request));
  return undefined;
};
console.log(`The upstream API ${upstream.url} is ready.`);
