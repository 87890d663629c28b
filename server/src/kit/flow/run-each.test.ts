import { expect, test } from 'vitest';
import { setTracer, type Tracer } from '../telemetry/trace.ts';
import { runEach } from './run-each.ts';

test('an item that fails is reported and postponed, and delays no other item', async () => {
  const steps: string[] = [];
  const note = (text: string): void => void steps.push(text);
  const run = async (item: string): Promise<void> => {
    note(`run ${item}`);
    if (item !== 'c') throw new Error(item);
  };
  const postpone = async (item: string): Promise<void> => {
    note(`postpone ${item}`);
    if (item === 'b') throw new Error('unavailable');
  };
  const onError = (error: unknown): void => note(`error ${(error as Error).message}`);

  await runEach('item', ['a', 'b', 'c'], run, onError, postpone);
  expect(steps.splice(0)).toEqual([
    ...['run a', 'error a', 'postpone a'],
    ...['run b', 'error b', 'postpone b', 'error unavailable'],
    'run c',
  ]);

  await runEach('item', ['a', 'c'], run, onError);
  expect(steps).toEqual(['run a', 'error a', 'run c']);
});

test('each item has a trace of its own, which ends with the item', async () => {
  const steps: string[] = [];
  const begin: Tracer['begin'] = (name) => {
    steps.push(`begin ${name}`);
    const end = (ending?: { failure?: string }): void => void steps.push(`end ${ending?.failure ?? 'well'}`);
    return { traceparent: '', begin, end };
  };
  setTracer({ scope: 'test', begin, receive: () => begin('request') });
  const run = async (item: string): Promise<void> => {
    steps.push(item);
    if (item === 'b') throw new TypeError('the message');
  };
  await runEach('item', ['a', 'b'], run, () => {}).finally(() => setTracer(undefined));
  expect(steps).toEqual(['begin item', 'a', 'end well', 'begin item', 'b', 'end TypeError']);
});
