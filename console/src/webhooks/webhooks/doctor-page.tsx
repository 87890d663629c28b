// Page of the signature diagnosis: explains why a receiver could not verify a message, from the data that the receiver
// has.
import { Alert, List, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AppScope, api, type SignatureDiagnosis } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import notes from '../../kit/notes.module.css';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { DOCTOR_FIELDS, DoctorForm } from './doctor-form.tsx';
import { ENDPOINT_PATH, ENDPOINT_ROUTE, EndpointFrame } from './endpoint-frame.tsx';
import type { DiagnosisRequest } from './received-message.ts';

const route = getRouteApi(`${ENDPOINT_ROUTE}/signature`);

export function DoctorPage(): ReactNode {
  const { endpointId } = route.useParams();
  return (
    <EndpointFrame endpointId={endpointId} section="Signature diagnosis">
      {({ scope }) => <Doctor key={endpointId} scope={scope} endpointId={endpointId} />}
    </EndpointFrame>
  );
}

function Doctor({ scope, endpointId }: { scope: AppScope; endpointId: string }): ReactNode {
  const diagnose = useMutation({
    mutationFn: (message: DiagnosisRequest) => api.diagnoseSignature({ ...scope, ...message }),
  });
  return (
    <Stack>
      <SectionHead title="Signature diagnosis">
        Enter a message that your receiver does not verify. The diagnosis names the mistake. Nothing is stored.
      </SectionHead>
      <Panel p="md">
        <DoctorForm
          scope={scope}
          endpointId={endpointId}
          error={diagnose.error}
          isPending={diagnose.isPending}
          onAsk={(message) => diagnose.mutate(message)}
        />
      </Panel>
      {diagnose.error && <ProblemAlert error={diagnose.error} fields={DOCTOR_FIELDS} />}
      {diagnose.data && <Diagnosis scope={scope} diagnosis={diagnose.data} />}
    </Stack>
  );
}

function Diagnosis({ scope, diagnosis }: { scope: AppScope; diagnosis: SignatureDiagnosis }): ReactNode {
  if (diagnosis.verifies) {
    return (
      <Alert
        className={notes.good ?? ''}
        role="status"
        icon={<IconCircleCheck aria-hidden />}
        title="The signature is valid"
      >
        A correct receiver accepts this message. If yours does not, enter the signature that your code computed, too.
      </Alert>
    );
  }
  return (
    <Panel p="md" role="region" aria-label="Diagnosis">
      <Stack>
        <StateBadge tone="bad">does not verify</StateBadge>
        <List spacing="md" listStyleType="none">
          {diagnosis.findings.map(({ mistake, detail, fix, endpointId }) => (
            <List.Item key={mistake}>
              <Stack gap={4}>
                <Tag isCode>{mistake}</Tag>
                <Text style={{ overflowWrap: 'anywhere' }}>{detail}</Text>
                {/* The previous version of an environment sends no field `fix`. */}
                {fix && (
                  <Text fw={550}>
                    <Inline>{fix}</Inline>
                  </Text>
                )}
                {endpointId !== null && (
                  <AnchorLink to={ENDPOINT_PATH} params={{ ...scope, endpointId }}>
                    The endpoint with this secret
                  </AnchorLink>
                )}
              </Stack>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Panel>
  );
}
