// State of a request that is tried: its values, its key, and its result.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AppScope, api, type CallInput, type Key } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { rememberIds, useKnownIds } from './known-ids.ts';
import { pretty } from './parts.tsx';
import type { Operation } from './reference.ts';
import { fieldOf, type Values } from './request.ts';

export function hasScope(operation: Operation, key: Key): boolean {
  return !operation.scope || key.scopes.some((scope) => scope === operation.scope);
}

export function useTry(scope: AppScope, operation: Operation) {
  const keys = useKeys(scope);
  const queries = useQueryClient();
  const idsFor = useKnownIds(scope);
  const [chosen, setChosen] = useState<string | null>(null);
  const [filled, setFilled] = useState<Values>({});
  const [typed, setTyped] = useState<string>();

  const active = keys.loaded?.filter((key) => key.state === 'active') ?? [];
  const fitting = active.find((key) => hasScope(operation, key));
  const isWanted = !fitting && chosen === null;
  useAllPages(keys, isWanted);
  const isSearching = isWanted && keys.hasNextPage && !keys.isError;
  const call = useMutation({
    mutationFn: (body: CallInput) => api.createCall({ ...scope, body }),
    onSuccess: (made) => {
      rememberIds(scope.appId, made.body);
      return queries.invalidateQueries({ queryKey: queryKeys.requests(scope) });
    },
  });

  // Known identifiers are filled in. A typed value takes precedence, also if it was emptied.
  const offered = operation.parameters.flatMap((one): [string, string][] => {
    const [first] = one.in === 'path' ? idsFor(one) : [];
    return first ? [[fieldOf(one), first.id]] : [];
  });
  return {
    keys,
    active,
    /** Undefined while an older key can have the scope. */
    key: active.find((one) => one.id === chosen) ?? fitting ?? (isSearching ? undefined : active[0]),
    isSearching,
    chooseKey: setChosen,
    idsFor,
    values: { ...Object.fromEntries(offered), ...filled },
    fill: (field: string, value: string) => setFilled((old) => ({ ...old, [field]: value })),
    body: typed ?? pretty(operation.body?.examples[0]?.value ?? {}),
    setBody: setTyped,
    call,
  };
}

export type Try = ReturnType<typeof useTry>;
