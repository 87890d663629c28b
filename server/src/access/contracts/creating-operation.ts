// The operations that create objects: each creation, and each replacement that declares `creates`.
import type { OperationDeclaration } from './operation-declaration.ts';

type Creating = Pick<OperationDeclaration, 'effect' | 'status' | 'creates'>;

export const canCreate = ({ effect, creates }: Pick<Creating, 'effect' | 'creates'>): boolean =>
  effect === 'create' || creates !== undefined;

/** Returns whether a response with this status reports the creation of the object. */
export const isCreatedStatus = ({ effect, status: own, creates }: Creating, status: number): boolean =>
  effect === 'create' || (status === creates?.status && status !== own);
