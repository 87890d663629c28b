// Code that verifies a delivery, hidden until the reader opens it.
import { Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Fold } from '../../kit/fold.tsx';

const ReceiverCode = lazy(async () => ({ default: (await import('./receiver-code.tsx')).ReceiverCode }));

export function VerifyFold(): ReactNode {
  return (
    <Fold summary="Verify in your code">
      <Suspense fallback={<Skeleton h={300} />}>
        <ReceiverCode />
      </Suspense>
    </Fold>
  );
}
