// State of a form that asks for a proof of the second factor: a code, or the signature of a passkey.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type PasskeyRequestOptions, type SecondFactorProofInput, type Session } from '../../kit/api.ts';
import { signChallenge } from './passkey-ceremony.ts';

export type Methods = Session['person']['secondFactorMethods'];

interface ProofOptions {
  /** Requests the challenge for a passkey; by default for the open session. */
  challenge?: () => Promise<PasskeyRequestOptions>;
  complete: (proof: SecondFactorProofInput) => Promise<unknown>;
  onDone: () => unknown;
}

export interface Proof {
  code: string;
  setCode: (code: string) => void;
  submit: (event: FormEvent) => void;
  sendPasskey: () => void;
  error: Error | null;
  isSendingCode: boolean;
  isSendingPasskey: boolean;
}

export function useProof(options: ProofOptions): Proof {
  const { challenge = () => api.createPasskeyChallenge(), complete, onDone } = options;
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: async (by: 'code' | 'passkey') =>
      complete(by === 'code' ? { code: code.trim() } : { passkey: await signChallenge(await challenge()) }),
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate('code');
  };
  return {
    code,
    setCode,
    submit,
    sendPasskey: () => send.mutate('passkey'),
    error: send.error,
    isSendingCode: send.isPending && send.variables === 'code',
    isSendingPasskey: send.isPending && send.variables === 'passkey',
  };
}
