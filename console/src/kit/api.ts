// The only access to the server: the SDK's client of the management API on the page's own origin.
import type { Retry } from '@slipway/sdk';
import type * as management from '@slipway/sdk/management';
import { createManagement } from '@slipway/sdk/management';
import { ENVIRONMENT, type EnvironmentName } from './environment-path.ts';

/** A page that loads for longer would hide the reason, for example that the service was restored and is closed. */
const LONGEST_WAIT_MS = 5_000;

function refuseLongWait({ error, waitMs }: Retry): void {
  if (waitMs > LONGEST_WAIT_MS) throw error;
}

/** Returns the client of an environment that can differ from that of the document. */
export const managementOf = (environment: EnvironmentName) =>
  createManagement({ baseUrl: '', environment, onRetry: refuseLongWait });
export const api = managementOf(ENVIRONMENT);

export type AccessChangeInput = management.AccessChangeInput;
export type AccessExplanation = management.AccessExplanation;
export type AccessForecast = management.AccessForecast;
export type App = management.App;
export type AppEvent = management.AppEvent;
export type Attempt = management.Attempt;
export type AttemptBucket = management.AttemptBucket;
export type AuditEntry = management.AuditEntry;
export type Call = management.Call;
export type ChangedInstallation = management.ChangedInstallation;
export type CreatedEndpoint = management.CreatedEndpoint;
export type CreatedKey = management.CreatedKey;
export type Delivery = management.Delivery;
export type DeliveryDetail = management.DeliveryDetail;
export type DeprecatedUse = management.DeprecatedUse;
export type DeviceSignIn = management.DeviceSignIn;
export type Drill = management.Drill;
export type DrillDetail = management.DrillDetail;
export type DrillRequest = management.DrillRequest;
export type DrillStep = management.DrillStep;
export type EndedAccess = management.EndedAccess;
export type Endpoint = management.Endpoint;
export type EndpointChange = management.EndpointChange;
export type EndpointHealth = management.EndpointHealth;
export type Environment = management.Environment;
export type Fault = management.Fault;
export type EventScopes = management.EventScopes;
export type Evidence = management.Evidence;
export type Installation = management.Installation;
export type InstallationChange = management.InstallationChange;
export type CreatedInvitation = management.CreatedInvitation;
export type InvitationPreview = management.InvitationPreview;
export type Key = management.Key;
export type KeyActivity = management.KeyActivity;
export type ListedSession = management.ListedSession;
export type Membership = management.Membership;
export type SuspendedMembership = management.SuspendedMembership;
export type MissedRequests = management.MissedRequests;
export type Capture = management.Capture;
export type CaptureStatus = management.CaptureStatus;
export type CallInput = management.CallInput;
export type FaultInput = management.FaultInput;
export type RedeliveryInput = management.RedeliveryInput;
export type ReplayInput = management.ReplayInput;
export type ReplayAnswer = management.Replay;
export type LiveAccess = management.LiveAccess;
export type LiveAccessRequest = management.LiveAccessRequest;
export type LiveAccessRequestDetail = management.LiveAccessRequestDetail;
export type LiveAccessReview = management.LiveAccessReview;
export type Message = management.Message;
export type Notice = management.Notice;
export type NoticeDestination = management.NoticeDestination;
export type NoticeDestinationInput = management.NoticeDestinationInput;
export type NoticeMailSettings = management.NoticeMailSettings;
export type OperatedOrganisation = management.OperatedOrganisation;
export type OrganisationDeletion = management.OrganisationDeletion;
export type PreviewedEvent = management.PreviewedEvent;
export type Quotas = management.Quotas;
export type ReceivedMessage = management.ReceivedMessage;
export type Redelivery = management.Redelivery;
export type RedeliveryDetail = management.RedeliveryDetail;
export type RedeliveryPreview = management.RedeliveryPreview;
export type Passkey = management.Passkey;
export type PasskeyAssertion = management.PasskeyAssertion;
export type PasskeyAttestation = management.PasskeyAttestation;
export type PasskeyCreationOptions = management.PasskeyCreationOptions;
export type PasskeyRequestOptions = management.PasskeyRequestOptions;
export type RequestBucket = management.RequestBucket;
export type RequestDetail = management.RequestDetail;
export type RequestGroup = management.RequestGroup;
export type RequestHistogram = management.RequestHistogram;
export type RequestRecord = management.RequestRecord;
export type RequestValues = management.RequestValues;
export type SavedView = management.SavedView;
export type SecondFactorProofInput = management.SecondFactorProofInput;
export type SecondFactorEnrolment = management.SecondFactorEnrolment;
export type Session = management.Session;
export type SignInStep = management.SignInStep;
export type SignUpPolicy = management.SignUpPolicy;
export type SignatureDiagnosis = management.SignatureDiagnosis;
export type TailedRequests = management.TailedRequests;
export type UnauthenticatedCount = management.UnauthenticatedCount;
export type UpstreamFailure = management.UpstreamFailure;
export type UnauthenticatedRequest = management.UnauthenticatedRequest;
export type World = management.World;
export type WorldObject = management.WorldObject;
export type Trace = management.Trace;
export type Operations = management.Operations;

export type EventTrigger = management.EventTrigger;
export type EventType = Exclude<management.Endpoint['eventTypes'][number], '*'>;
export type Condition = management.Condition;
export type GrantState = management.Grant['state'];
export type Scope = management.Key['scopes'][number];
export type ProblemCode = management.Problem['code'];
export type Action = management.RoleActions['actions'][number];
export type RoleActions = management.RoleActions;
export type AccessToken = management.AccessToken;
export type Invitation = management.Invitation;
export type Member = management.Member;
export type Role = management.Membership['role'];

export interface AppScope {
  organisationId: string;
  appId: string;
}

/** Filters of the request list, its summaries, its tail and its exports. */
export type RequestFilters = Omit<Operations['exportRequests']['input'], keyof AppScope>;

type DefinedValues<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes properties with the value undefined: an optional input is either present or absent. */
export function defined<T extends object>(values: T): DefinedValues<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as DefinedValues<T>;
}
