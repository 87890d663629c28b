// Links of a contract of an operator in the sandbox: addresses of objects and pages, also in objects with `href`.
import { expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import { until } from './harness.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/choir', import.meta.url).pathname;
});
useOwnContract();

interface Link {
  href: string;
}
interface Singer {
  id: number;
  _links: { self: Link };
}
interface SingerPage {
  _embedded: { singers: Singer[] };
  _links: { self: Link; next?: Link; prev?: Link };
  total_count: string;
}

const get = <T>(path: string): Promise<Answer<T>> => sandbox.call<T>(path, key.token);
const pathOf = (address: string): string => address.slice(address.indexOf('/v1/'));

/** Creates a choir with singers, newest first. */
async function createSingers(count: number): Promise<{ path: string; singers: Singer[] }> {
  const { body: choir } = await sandbox.call<{ id: number }>('/v1/choirs', key.token, json({ name: 'Harbour' }));
  const path = `/v1/choirs/${choir.id}`;
  const singers: Singer[] = [];
  for (let number = 0; number < count; number += 1) {
    const singer = { name: `Singer ${number}`, voices: ['alto'] };
    singers.unshift((await sandbox.call<Singer>(`${path}/singers`, key.token, json(singer))).body);
  }
  return { path, singers };
}

test('an object has its own address in the declared field, in each response and event', async () => {
  const { path, singers } = await createSingers(1);
  const [singer] = singers;
  if (!singer) throw new Error('No singer was created.');
  expect(pathOf(singer._links.self.href)).toBe(`/v1/singers/${singer.id}`);
  // The optional field `templated` of a link, which the sandbox would make, is left out.
  expect(Object.keys(singer._links.self)).toEqual(['href']);
  const read = await get<{ data: Singer; links: { self: string } }>(pathOf(singer._links.self.href));
  expect(read.body).toEqual({ data: singer, links: { self: singer._links.self.href } });
  expect((await get(`${path}/singers`)).body).toEqual([singer]);
  const data = await until(async () => {
    const { body } = await get<{ data: { type: string; data: Singer }[] }>('/v1/events?limit=100');
    return body.data.find(({ type }) => type === 'singer.created')?.data;
  });
  expect(data).toEqual(singer);
});

test('a page has the addresses of the pages around it as objects, and a total as text', async () => {
  const { path, singers } = await createSingers(3);
  const first = await get<SingerPage>(`${path}/hal-singers?size=2`);
  expect(first.headers.get('content-type')).toBe('application/hal+json');
  expect(first.body._embedded.singers).toEqual(singers.slice(0, 2));
  expect(first.body.total_count).toBe('3');
  expect(Object.keys(first.body._links)).toEqual(['self', 'next']);
  const second = (await get<SingerPage>(pathOf(first.body._links.next?.href ?? ''))).body;
  expect(second._embedded.singers).toEqual(singers.slice(2));
  expect(Object.keys(second._links)).toEqual(['self', 'prev']);
  expect(pathOf(second._links.prev?.href ?? '')).toBe(`${path}/hal-singers?size=2&page=1`);
});
