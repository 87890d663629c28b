// Whether the headers and bodies of a request are stored: the part of a capture that needs no permission to reveal it.

import { BODY_STATES, CAPTURE_GAPS, type CaptureStatus } from '../../access/authority/index.ts';
import { dateTime, namedObject, nullable, oneOf } from '../../kit/http/schema.ts';

const bodyState = (of: string) =>
  nullable(
    oneOf(
      BODY_STATES,
      `The stored part of the ${of} body. \`none\`: there was no body. \`whole\`: the body as it was sent. \`masked\`: the body with masks in place of credentials and sensitive values. \`cut\`: its first 64 KiB. \`not_text\`: nothing, because the body was not read or is neither JSON nor text. Null if no capture is stored.`,
    ),
  );

export const CaptureStatusSchema = namedObject(
  'CaptureStatus',
  'Whether the headers and bodies of a request are stored. They are stored only in the sandbox, while the app captures bodies (`capturesBodies`).',
  {
    state: oneOf(['kept', 'not_kept'], '`kept`: `revealCapture` returns the headers and bodies.'),
    reason: nullable(
      oneOf(
        CAPTURE_GAPS,
        'The reason why nothing is stored; null if the capture is kept. `off`: the app did not capture bodies at the time, or ended its captures since. `pending`: the request is only seconds old, and its capture is not stored yet. `over_budget`: the app or the process had reached its limit of bytes. `expired`: the retention has ended. `lost`: the capture could not be stored.',
      ),
    ),
    expiresAt: nullable(dateTime('The time at which the capture becomes unreadable; null if none is stored.')),
    requestBody: bodyState('request'),
    responseBody: bodyState('response'),
  },
);

export const exampleCaptureStatus: CaptureStatus = {
  state: 'kept',
  reason: null,
  expiresAt: '2026-11-03T10:00:00.000Z',
  requestBody: 'whole',
  responseBody: 'whole',
};
