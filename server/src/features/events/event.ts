// An event: what happened to a subject, with a stable identifier and bytes that never change.

export const EVENT_TYPES = ['ticket.created', 'ping'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The version in which each type's data is written today. */
export const SCHEMA_VERSION: Record<EventType, number> = { 'ticket.created': 1, ping: 1 };

export interface Happening {
  type: EventType;
  /** The server's uuid. */
  serverId: string;
  subject: { type: string; uuid: string; id: string };
  /** Contiguous per subject, from the subject's own row. */
  sequence: number;
  /** The request that caused it, or null. */
  requestId: string | null;
  /** The resource as of the event. */
  data: unknown;
}

/** What a receiver gets; its fields stand in this order in the bytes that are signed. */
export interface Envelope {
  id: string;
  type: EventType;
  schemaVersion: number;
  occurredAt: string;
  environment: string;
  appId: string;
  serverId: string;
  subject: { type: string; id: string };
  sequence: number;
  requestId: string | null;
  data: unknown;
}
