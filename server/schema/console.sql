-- The schema of the Console's database after all migrations. Do not edit:
-- `npm run schema` writes this file, and server/test/database-schema.test.ts compares it with a migrated database. It is for readers.
-- Databases are made by server/migrations/console. Above each object are the migrations that define or change it, with their comments.

-- migration 0005
create table access_tokens (
  token_id uuid not null,
  organisation_id uuid not null,
  person_id text not null,
  kid text not null,
  token_hash bytea not null,
  name text not null,
  scope text not null,
  created_at timestamptz default clock_timestamp() not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text,
  constraint access_tokens_pkey primary key (token_id),
  constraint access_tokens_kid_key unique (kid),
  constraint access_tokens_check check (expires_at > created_at and expires_at <= (created_at + '365 days'::interval)),
  constraint access_tokens_kid_check check (length(kid) = 12),
  constraint access_tokens_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint access_tokens_scope_check check (scope = any (array['read', 'write'])),
  constraint access_tokens_token_hash_check check (length(token_hash) = 32),
  constraint access_tokens_organisation_id_person_id_fkey foreign key (organisation_id, person_id) references members(organisation_id, person_id) on delete cascade
);
create index access_tokens_by_member on access_tokens (organisation_id, person_id);
create index access_tokens_by_organisation on access_tokens (organisation_id, token_id);

-- migrations 0001, 0023
create table account (
  id text not null,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz not null,
  constraint account_pkey primary key (id),
  constraint "account_userId_fkey" foreign key ("userId") references "user"(id) on delete cascade
);
create index account_by_user on account ("userId");
create unique index account_one_password on account ("userId") where "providerId" = 'credential';

-- migration 0022
create table appointment_mails (
  organisation_id uuid not null,
  person_id text not null,
  role text not null,
  mailed_at timestamptz not null,
  constraint appointment_mails_pkey primary key (organisation_id, person_id, role),
  constraint appointment_mails_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade,
  constraint appointment_mails_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index appointment_mails_by_person on appointment_mails (person_id);

-- migration 0006
create table audit_entries (
  organisation_id uuid not null,
  audit_id uuid not null,
  app_id uuid,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  actor text not null,
  action text not null,
  target text not null,
  detail json not null,
  request_id text,
  client_address text,
  sequence bigint not null,
  previous_hash bytea,
  hash bytea not null,
  constraint audit_entries_pkey primary key (organisation_id, audit_id),
  constraint audit_entries_organisation_id_sequence_key unique (organisation_id, sequence),
  constraint audit_entries_actor_kind_check check (actor_kind = any (array['person', 'token', 'machine', 'operator'])),
  constraint audit_entries_check check ((sequence = 1) = (previous_hash is null)),
  constraint audit_entries_hash_check check (length(hash) = 32),
  constraint audit_entries_previous_hash_check check (length(previous_hash) = 32)
);
create index audit_entries_by_time on audit_entries (organisation_id, at desc, sequence desc);
create trigger chain before insert on audit_entries for each row execute function chain_audit_entry();
create trigger keep before delete or update on audit_entries for each row execute function keep_audited();
create trigger keep_all before truncate on audit_entries for each statement execute function keep_audited();

-- migration 0006
create table audit_heads (
  organisation_id uuid not null,
  sequence bigint not null,
  at timestamptz not null,
  hash bytea,
  erased_at timestamptz,
  constraint audit_heads_pkey primary key (organisation_id),
  constraint audit_heads_hash_check check (length(hash) = 32),
  constraint audit_heads_sequence_check check (sequence > 0)
) with (fillfactor=50);

-- migration 0025
create table destination_messages (
  destination_id uuid not null,
  environment text not null,
  cause text not null,
  kind text not null,
  waiting jsonb not null,
  further integer default 0 not null,
  message_id uuid,
  sending jsonb,
  begun_at timestamptz,
  attempt_no integer default 0 not null,
  due_at timestamptz,
  attempted_at timestamptz,
  constraint destination_messages_pkey primary key (destination_id, environment, cause),
  constraint destination_messages_check check ((due_at is null) = (waiting = '[]'::jsonb and message_id is null)),
  constraint destination_messages_check1 check (due_at is not null or attempted_at is not null),
  constraint destination_messages_check2 check ((message_id is null) = (sending is null) and (message_id is null) = (begun_at is null)),
  constraint destination_messages_destination_id_fkey foreign key (destination_id) references notice_destinations(destination_id) on delete cascade
);
create index destination_messages_by_age on destination_messages (attempted_at) where due_at is null;
create index destination_messages_due on destination_messages (due_at) where due_at is not null;
create index destination_messages_in_flight on destination_messages (message_id) where message_id is not null;

-- migrations 0011, 0013
create table device_sign_ins (
  sign_in_id uuid not null,
  device_code_hash bytea not null,
  user_code_hash bytea not null,
  device text not null,
  address text not null,
  network inet not null,
  asked_at timestamptz default clock_timestamp() not null,
  expires_at timestamptz not null,
  interval_seconds integer default 5 not null,
  polled_at timestamptz,
  denied_at timestamptz,
  organisation_id uuid,
  person_id text,
  scope text,
  expires_in_days integer,
  constraint device_sign_ins_pkey primary key (sign_in_id),
  constraint device_sign_ins_device_code_hash_key unique (device_code_hash),
  constraint device_sign_ins_user_code_hash_key unique (user_code_hash),
  constraint device_sign_ins_check check (num_nonnulls(organisation_id, person_id, scope, expires_in_days) = any (array[0, 4])),
  constraint device_sign_ins_device_check check (length(device) >= 1 and length(device) <= 100),
  constraint device_sign_ins_device_code_hash_check check (length(device_code_hash) = 32),
  constraint device_sign_ins_expires_in_days_check check (expires_in_days >= 1 and expires_in_days <= 365),
  constraint device_sign_ins_scope_check check (scope = any (array['read', 'write'])),
  constraint device_sign_ins_user_code_hash_check check (length(user_code_hash) = 32),
  constraint device_sign_ins_organisation_id_person_id_fkey foreign key (organisation_id, person_id) references members(organisation_id, person_id) on delete cascade
);
create index device_sign_ins_by_age on device_sign_ins (asked_at);
create index device_sign_ins_by_member on device_sign_ins (organisation_id, person_id);
create index device_sign_ins_by_network on device_sign_ins (network, asked_at);

-- migration 0028
create table earlier_emails (
  person_id text not null,
  email text not null,
  until timestamptz not null,
  constraint earlier_emails_pkey primary key (person_id, email),
  constraint earlier_emails_email_check check (length(email) <= 320),
  constraint earlier_emails_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);

-- migration 0001
create table facts (
  name text not null,
  value jsonb not null,
  constraint facts_pkey primary key (name)
);

-- migration 0019
create table invitation_links (
  token_hash bytea not null,
  invitation_id uuid not null,
  mailed_at timestamptz default clock_timestamp() not null,
  constraint invitation_links_pkey primary key (token_hash),
  constraint invitation_links_token_hash_check check (length(token_hash) = 32),
  constraint invitation_links_invitation_id_fkey foreign key (invitation_id) references invitations(invitation_id) on delete cascade
);
create index invitation_links_by_invitation on invitation_links (invitation_id, mailed_at);

-- migration 0004
create table invitations (
  invitation_id uuid not null,
  organisation_id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  inviter_id text not null,
  invited_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  constraint invitations_pkey primary key (invitation_id),
  constraint invitations_token_hash_key unique (token_hash),
  constraint invitations_check check (expires_at <= (created_at + '7 days'::interval)),
  constraint invitations_check1 check (accepted_at is null or revoked_at is null),
  constraint invitations_email_check check (email = lower(email) and length(email) <= 320),
  constraint invitations_role_check check (role = any (array['owner', 'admin', 'developer', 'auditor', 'viewer'])),
  constraint invitations_token_hash_check check (length(token_hash) = 32),
  constraint invitations_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade
);
create index invitations_by_organisation on invitations (organisation_id, invitation_id);
create unique index invitations_open on invitations (organisation_id, email) where accepted_at is null and revoked_at is null;

-- migrations 0003, 0013
create table link_requests (
  request_id uuid not null,
  purpose text not null,
  email text not null,
  network cidr not null,
  requested_at timestamptz default clock_timestamp() not null,
  handled_at timestamptz,
  constraint link_requests_pkey primary key (request_id),
  constraint link_requests_email_check check (length(email) <= 320),
  constraint link_requests_purpose_check check (purpose = any (array['sign_up', 'password_reset']))
);
create index link_requests_by_age on link_requests (requested_at);
create index link_requests_by_email on link_requests (email, requested_at);
create index link_requests_by_network on link_requests (network, requested_at);
create index link_requests_waiting on link_requests (requested_at) where handled_at is null;

-- migration 0009
create table live_access (
  organisation_id uuid not null,
  app_id uuid not null,
  production_app_id uuid not null,
  app_name text not null,
  scopes text[] not null,
  max_servers integer,
  standing text default 'active' not null,
  reason text,
  version bigint default 1 not null,
  confirmed_version bigint default 0 not null,
  tried_at timestamptz,
  constraint live_access_pkey primary key (organisation_id, app_id),
  constraint live_access_production_app_id_key unique (production_app_id),
  constraint live_access_check check ((standing = 'revoked') = (cardinality(scopes) = 0)),
  constraint live_access_max_servers_check check (max_servers > 0),
  constraint live_access_reason_check check (length(reason) <= 2000),
  constraint live_access_standing_check check (standing = any (array['active', 'suspended', 'revoked'])),
  constraint live_access_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade
);
create index live_access_to_tell on live_access (tried_at nulls first) where confirmed_version < version;
create trigger count_live_access before update on live_access for each row execute function count_live_access();

-- migration 0029
create table live_decision_reads (
  request_id uuid not null,
  decided_at timestamptz not null,
  read_at timestamptz default clock_timestamp() not null,
  read_by text not null,
  constraint live_decision_reads_pkey primary key (request_id, decided_at),
  constraint live_decision_reads_read_by_check check (length(read_by) <= 320),
  constraint live_decision_reads_request_id_fkey foreign key (request_id) references live_requests(request_id) on delete cascade
);

-- migration 0009
create table live_requests (
  request_id uuid not null,
  organisation_id uuid not null,
  app_id uuid not null,
  app_name text not null,
  state text default 'draft' not null,
  version integer default 1 not null,
  scopes json default '[]'::json not null,
  contacts json default '[]'::json not null,
  hands text[] not null,
  document text,
  document_hash bytea,
  submitted_at timestamptz,
  submitted_by text,
  decided_at timestamptz,
  decided_by text,
  approved_scopes text[],
  reason text,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  constraint live_requests_pkey primary key (request_id),
  constraint hash_of_the_document check (document_hash = sha256(convert_to(document, 'UTF8'::name))),
  constraint live_requests_check check ((document is null) = (document_hash is null)),
  constraint live_requests_check1 check ((state = any (array['draft', 'withdrawn'])) or document is not null),
  constraint live_requests_check2 check ((state = 'approved') = (approved_scopes is not null)),
  constraint live_requests_reason_check check (length(reason) <= 2000),
  constraint live_requests_state_check check (state = any (array['draft', 'submitted', 'changes_requested', 'approved', 'rejected', 'withdrawn'])),
  constraint live_requests_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade
);
create index live_requests_by_organisation on live_requests (organisation_id, request_id desc);
create index live_requests_by_state on live_requests (state, request_id desc);
create unique index live_requests_open on live_requests (organisation_id, app_id) where state = any (array['draft', 'submitted', 'changes_requested']);
create trigger guard before update on live_requests for each row execute function guard_live_request();

-- migration 0009
create table live_steps (
  step_id uuid not null,
  request_id uuid not null,
  at timestamptz default clock_timestamp() not null,
  by text not null,
  actor text not null,
  action text not null,
  detail json default '{}'::json not null,
  constraint live_steps_pkey primary key (step_id),
  constraint live_steps_by_check check (by = any (array['member', 'reviewer'])),
  constraint live_steps_request_id_fkey foreign key (request_id) references live_requests(request_id) on delete cascade
);
create index live_steps_by_request on live_steps (request_id, step_id desc);
create trigger guard before update on live_steps for each row execute function guard_live_step();

-- migrations 0003, 0013, 0028
create table mailed_links (
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  expires_at timestamptz not null,
  person_id text,
  constraint mailed_links_pkey primary key (token_hash),
  constraint mailed_links_person_check check ((person_id is not null) = (purpose = any (array['email_change', 'email_undo']))),
  constraint mailed_links_purpose_check check (purpose = any (array['sign_up', 'password_reset', 'email_change', 'email_undo'])),
  constraint mailed_links_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index mailed_links_by_email on mailed_links (email, purpose);
create index mailed_links_by_end on mailed_links (expires_at);
create index mailed_links_by_person on mailed_links (person_id) where person_id is not null;

-- migrations 0001, 0004, 0014
create table members (
  organisation_id uuid not null,
  person_id text not null,
  role text not null,
  joined_at timestamptz default clock_timestamp() not null,
  member_id uuid default gen_random_uuid() not null,
  suspended_at timestamptz,
  constraint members_pkey primary key (organisation_id, person_id),
  constraint members_member_id_key unique (member_id),
  constraint members_role_check check (role = any (array['owner', 'admin', 'developer', 'auditor', 'viewer'])),
  constraint members_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade,
  constraint members_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index members_by_organisation on members (organisation_id, member_id);
create index members_by_person on members (person_id);

-- migration 0025
create table notice_destinations (
  destination_id uuid not null,
  organisation_id uuid not null,
  kind text not null,
  name text not null,
  host text not null,
  sealed_url bytea not null,
  sealed_secret bytea,
  environments text[] not null,
  muted_kinds text[] not null,
  disabled_reason text,
  last_attempt_at timestamptz,
  last_outcome text,
  last_status integer,
  last_detail text,
  last_success_at timestamptz,
  created_by text not null,
  created_at timestamptz default clock_timestamp() not null,
  constraint notice_destinations_pkey primary key (destination_id),
  constraint notice_destinations_check check (kind = 'webhook' or environments = '{production}'::text[]),
  constraint notice_destinations_check1 check ((sealed_secret is not null) = (kind = any (array['webhook', 'pagerduty']))),
  constraint notice_destinations_check2 check ((last_attempt_at is null) = (last_outcome is null)),
  constraint notice_destinations_environments_check check (environments <@ '{sandbox,production}'::text[] and cardinality(environments) > 0),
  constraint notice_destinations_kind_check check (kind = any (array['webhook', 'slack', 'teams', 'pagerduty'])),
  constraint notice_destinations_last_outcome_check check (last_outcome = any (array['succeeded', 'waiting', 'failed'])),
  constraint notice_destinations_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade
);
create index notice_destinations_by_organisation on notice_destinations (organisation_id, destination_id);

-- migration 0024
create table notice_mail_settings (
  organisation_id uuid not null,
  person_id text not null,
  timing text,
  muted_kinds text[] not null,
  constraint notice_mail_settings_pkey primary key (organisation_id, person_id),
  constraint notice_mail_settings_timing_check check (timing = any (array['immediately', 'daily', 'never'])),
  constraint notice_mail_settings_organisation_id_person_id_fkey foreign key (organisation_id, person_id) references members(organisation_id, person_id) on delete cascade
);

-- migration 0024
create table notice_mails (
  organisation_id uuid not null,
  person_id text not null,
  environment text not null,
  cause text not null,
  waiting jsonb not null,
  further integer default 0 not null,
  due_at timestamptz,
  mailed_at timestamptz,
  constraint notice_mails_pkey primary key (organisation_id, person_id, environment, cause),
  constraint notice_mails_check check ((due_at is null) = (waiting = '[]'::jsonb)),
  constraint notice_mails_check1 check (due_at is not null or mailed_at is not null),
  constraint notice_mails_organisation_id_person_id_fkey foreign key (organisation_id, person_id) references members(organisation_id, person_id) on delete cascade
);
create index notice_mails_by_age on notice_mails (mailed_at) where due_at is null;
create index notice_mails_due on notice_mails (due_at) where due_at is not null;

-- migration 0003
create table operator_actions (
  action_id uuid not null,
  operator text not null,
  action text not null,
  target text not null,
  detail jsonb default '{}'::jsonb not null,
  done_at timestamptz default clock_timestamp() not null,
  constraint operator_actions_pkey primary key (action_id)
);
create trigger guard_operator_actions before delete or update on operator_actions for each row execute function refuse_change();

-- migration 0003
create table operators (
  person_id text not null,
  since timestamptz default clock_timestamp() not null,
  constraint operators_pkey primary key (person_id),
  constraint operators_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);

-- migrations 0001, 0003, 0007, 0016
create table organisations (
  organisation_id uuid not null,
  name text not null,
  created_at timestamptz default clock_timestamp() not null,
  suspended_at timestamptz,
  suspended_reason text,
  quotas jsonb default '{}'::jsonb not null,
  delete_at timestamptz,
  erasing_since timestamptz,
  standing_version bigint default 0 not null,
  standing_tried_at timestamptz,
  standing_raised_at timestamptz,
  constraint organisations_pkey primary key (organisation_id),
  constraint organisations_check check (erasing_since is null or delete_at is not null),
  constraint organisations_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint organisations_quotas_check check (jsonb_typeof(quotas) = 'object'),
  constraint organisations_suspended_reason_check check (length(suspended_reason) <= 500)
);
create index organisations_to_tell on organisations (standing_tried_at nulls first) where standing_version > 0;
create trigger count_standing before update on organisations for each row execute function count_standing();

-- migrations 0002, 0013
create table outbox (
  message_id uuid not null,
  recipient text not null,
  subject text not null,
  text text,
  state text default 'waiting' not null,
  attempts integer default 0 not null,
  due_at timestamptz default clock_timestamp() not null,
  last_error text,
  queued_at timestamptz default clock_timestamp() not null,
  ended_at timestamptz,
  constraint outbox_pkey primary key (message_id),
  constraint outbox_check check ((state = 'waiting') = (text is not null)),
  constraint outbox_check1 check ((state = 'waiting') = (ended_at is null)),
  constraint outbox_recipient_check check (length(recipient) <= 320 and recipient ~ '^[^[:space:][:cntrl:],;:<>()"\\]+@[^[:space:][:cntrl:],;:<>()"\\@]+$'),
  constraint outbox_state_check check (state = any (array['waiting', 'sent', 'failed'])),
  constraint outbox_subject_check check (length(subject) >= 1 and length(subject) <= 200 and subject !~ '[[:cntrl:]]'),
  constraint outbox_text_check check (length(text) <= 20000)
);
create index outbox_by_age on outbox (queued_at);
create index outbox_by_recipient on outbox (recipient, queued_at);
create index outbox_due on outbox (due_at) where state = 'waiting';

-- migration 0027
create table passkey_challenges (
  holder_hash bytea not null,
  person_id text not null,
  purpose text not null,
  challenge_hash bytea not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (holder_hash),
  constraint passkey_challenges_challenge_hash_check check (length(challenge_hash) = 32),
  constraint passkey_challenges_holder_hash_check check (length(holder_hash) = 32),
  constraint passkey_challenges_purpose_check check (purpose = any (array['register', 'sign_in', 'verify'])),
  constraint passkey_challenges_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index passkey_challenges_by_person on passkey_challenges (person_id);

-- migration 0027
create table passkeys (
  passkey_id uuid not null,
  person_id text not null,
  credential_id text not null,
  public_key bytea not null,
  signatures bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz default clock_timestamp() not null,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (passkey_id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_credential_id_check check (length(credential_id) >= 1 and length(credential_id) <= 1400),
  constraint passkeys_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint passkeys_signatures_check check (signatures >= 0),
  constraint passkeys_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index passkeys_by_person on passkeys (person_id);

-- migration 0018
create table password_tries (
  account_hash bytea not null,
  place text not null,
  tries integer not null,
  tried_at timestamptz not null,
  next_at timestamptz not null,
  constraint password_tries_pkey primary key (account_hash, place),
  constraint password_tries_account_hash_check check (length(account_hash) = 32),
  constraint password_tries_place_check check (length(place) <= 64)
);
create index password_tries_by_age on password_tries (tried_at);

-- migration 0017
create table provider_links (
  issuer text not null,
  subject text not null,
  person_id text not null,
  linked_at timestamptz default clock_timestamp() not null,
  constraint provider_links_pkey primary key (issuer, subject),
  constraint provider_links_person_id_issuer_key unique (person_id, issuer),
  constraint provider_links_issuer_check check (length(issuer) <= 2000),
  constraint provider_links_subject_check check (length(subject) >= 1 and length(subject) <= 2000),
  constraint provider_links_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);

-- migrations 0003, 0013, 0017
create table provider_sign_ins (
  state_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  person_id text,
  constraint provider_sign_ins_pkey primary key (state_hash),
  constraint provider_sign_ins_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index provider_sign_ins_by_end on provider_sign_ins (expires_at);

-- migration 0001
create table "rateLimit" (
  id text not null,
  key text not null,
  count integer not null,
  "lastRequest" bigint not null,
  constraint "rateLimit_pkey" primary key (id),
  constraint "rateLimit_key_key" unique (key)
);

-- migration 0026
create table saved_views (
  view_id uuid not null,
  organisation_id uuid not null,
  person_id text not null,
  app_id uuid not null,
  page text not null,
  name text not null,
  filters text not null,
  constraint saved_views_pkey primary key (view_id),
  constraint saved_views_organisation_id_person_id_app_id_page_name_key unique (organisation_id, person_id, app_id, page, name),
  constraint saved_views_organisation_id_person_id_fkey foreign key (organisation_id, person_id) references members(organisation_id, person_id) on delete cascade
);

-- made by the migration runner
create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz default clock_timestamp() not null,
  constraint schema_migrations_pkey primary key (version)
);

-- migration 0010
create table second_factor_proofs (
  session_id text not null,
  proved_at timestamptz default clock_timestamp() not null,
  constraint second_factor_proofs_pkey primary key (session_id),
  constraint second_factor_proofs_session_id_fkey foreign key (session_id) references session(id) on delete cascade
);

-- migration 0015
create table second_factor_removals (
  person_id text not null,
  requested_at timestamptz default clock_timestamp() not null,
  due_at timestamptz,
  cancel_hash bytea,
  removed_at timestamptz,
  closed_until timestamptz,
  constraint second_factor_removals_pkey primary key (person_id),
  constraint second_factor_removals_cancel_hash_key unique (cancel_hash),
  constraint second_factor_removals_cancel_hash_check check (length(cancel_hash) = 32),
  constraint second_factor_removals_check check ((due_at is null) = (cancel_hash is null)),
  constraint second_factor_removals_check1 check (num_nonnulls(due_at, removed_at) > 0),
  constraint second_factor_removals_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index second_factor_removals_due on second_factor_removals (due_at) where due_at is not null;

-- migrations 0020, 0028
create table security_changes (
  person_id text not null,
  change text not null,
  day date not null,
  times integer not null,
  constraint security_changes_pkey primary key (person_id, change),
  constraint security_changes_change_check check (change = any (array['second_factor_removal', 'provider_link', 'email_change'])),
  constraint security_changes_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);

-- migrations 0001, 0021
create table session (
  id text not null,
  "expiresAt" timestamptz not null,
  token text not null,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null,
  "accessEpoch" integer,
  constraint session_pkey primary key (id),
  constraint session_token_key unique (token),
  constraint "session_userId_fkey" foreign key ("userId") references "user"(id) on delete cascade
);
create index session_by_user on session ("userId");
create trigger check_access_epoch before insert on session for each row execute function check_access_epoch();

-- migration 0003
create table sign_up_policy (
  is_only boolean default true not null,
  policy text not null,
  domains text[] default '{}'::text[] not null,
  constraint sign_up_policy_pkey primary key (is_only),
  constraint sign_up_policy_check check (policy <> 'domain' or cardinality(domains) > 0),
  constraint sign_up_policy_is_only_check check (is_only),
  constraint sign_up_policy_policy_check check (policy = any (array['open', 'invited', 'domain']))
);

-- migration 0007
create table standing_receipts (
  organisation_id uuid not null,
  environment text not null,
  version bigint not null,
  apps integer not null,
  confirmed_at timestamptz default clock_timestamp() not null,
  constraint standing_receipts_pkey primary key (organisation_id, environment),
  constraint standing_receipts_environment_check check (environment = any (array['sandbox', 'production'])),
  constraint standing_receipts_organisation_id_fkey foreign key (organisation_id) references organisations(organisation_id) on delete cascade
);

-- migration 0008
create table taken_notices (
  environment text not null,
  notice_id text not null,
  taken_at timestamptz default clock_timestamp() not null,
  constraint taken_notices_pkey primary key (environment, notice_id)
);
create index taken_notices_by_age on taken_notices (taken_at);

-- migration 0003
create table "twoFactor" (
  id text not null,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz,
  constraint "twoFactor_pkey" primary key (id),
  constraint "twoFactor_userId_key" unique ("userId"),
  constraint "twoFactor_userId_fkey" foreign key ("userId") references "user"(id) on delete cascade
);

-- migrations 0003, 0013
create table used_codes (
  person_id text not null,
  code_hash bytea not null,
  used_at timestamptz default clock_timestamp() not null,
  constraint used_codes_pkey primary key (person_id, code_hash),
  constraint used_codes_person_id_fkey foreign key (person_id) references "user"(id) on delete cascade
);
create index used_codes_by_age on used_codes (used_at);

-- migrations 0001, 0003, 0021
create table "user" (
  id text not null,
  name text not null,
  email text not null,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz default CURRENT_TIMESTAMP not null,
  "twoFactorEnabled" boolean default false not null,
  "accessEpoch" integer default 0 not null,
  constraint user_pkey primary key (id),
  constraint user_email_key unique (email)
);

-- migrations 0012, 0013
create table user_code_tries (
  place text not null,
  since timestamptz not null,
  tries integer not null,
  constraint user_code_tries_pkey primary key (place, since)
);
create index user_code_tries_by_age on user_code_tries (since);

-- migration 0001
create table verification (
  id text not null,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz default CURRENT_TIMESTAMP not null,
  constraint verification_pkey primary key (id)
);
create index verification_by_identifier on verification (identifier);

-- migration 0006
create function audit_field(field text)
  returns text
  language sql
  immutable
  return coalesce(((octet_length(field) || ':') || field), '-');

-- migration 0006
create function audit_hash(entry audit_entries)
  returns bytea
  language sql
  stable
  return sha256(convert_to(concat(audit_field('slipway-audit-1'), audit_field(((entry).organisation_id)::text), audit_field(((entry).sequence)::text), audit_field(encode((entry).previous_hash, 'hex')), audit_field(((entry).audit_id)::text), audit_field(to_char(((entry).at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), audit_field((entry).actor_kind), audit_field((entry).actor_id), audit_field((entry).actor), audit_field((entry).action), audit_field((entry).target), audit_field(((entry).app_id)::text), audit_field(((entry).detail)::text), audit_field((entry).request_id), audit_field((entry).client_address)), 'UTF8'::name));

-- migration 0006
create function chain_audit_entry()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  insert into audit_heads as head (organisation_id, sequence, at) values (new.organisation_id, 1, clock_timestamp())
    on conflict (organisation_id) do update
      -- Never dated before the one before it, whatever the clock does: by time and by sequence the order is one.
      set sequence = head.sequence + 1, at = greatest(head.at, clock_timestamp())
    returning head.sequence, head.at, head.hash into new.sequence, new.at, new.previous_hash;
  new.hash := audit_hash(new);
  update audit_heads set hash = new.hash where organisation_id = new.organisation_id;
  return new;
end $function$;

-- migration 0021
create function check_access_epoch()
  returns trigger
  language plpgsql
  as $function$
begin
  if new."accessEpoch" is null then return new; end if;
  -- Waits for a transaction that ends the sessions, and reads the epoch that it leaves.
  perform from "user" where id = new."userId" and "accessEpoch" = new."accessEpoch" for share;
  if not found then
    raise exception 'the sessions of the person were ended after the sign-in began' using errcode = '23514';
  end if;
  return new;
end $function$;

-- migration 0009
create function count_live_access()
  returns trigger
  language plpgsql
  as $function$
declare
  said_elsewhere text[] := array['version', 'confirmed_version', 'tried_at', 'reason'];
begin
  if to_jsonb(new) - said_elsewhere is distinct from to_jsonb(old) - said_elsewhere then
    new.version := old.version + 1;
  end if;
  return new;
end $function$;

-- migrations 0007, 0016
create function count_standing()
  returns trigger
  language plpgsql
  as $function$
declare
  said_elsewhere text[] := array['name', 'standing_version', 'standing_tried_at', 'standing_raised_at'];
begin
  if old.erasing_since is not null and new.erasing_since is distinct from old.erasing_since then
    raise exception 'erasing cannot be taken back' using errcode = '23514';
  end if;
  if to_jsonb(new) - said_elsewhere is distinct from to_jsonb(old) - said_elsewhere then
    new.standing_version := old.standing_version + 1;
  end if;
  -- A further change does not begin the time again while an earlier one is not confirmed.
  if new.standing_version <> old.standing_version and (old.standing_raised_at is null or exists (
      select from standing_receipts r where r.organisation_id = old.organisation_id and r.version = old.standing_version)) then
    new.standing_raised_at := clock_timestamp();
  end if;
  return new;
end $function$;

-- migration 0006
create function erase_audit_chain(erased uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'public'
  as $function$
begin
  perform set_config('slipway.erased_organisation', erased::text, true);
  delete from audit_entries where organisation_id = erased;
  update audit_heads set erased_at = clock_timestamp() where organisation_id = erased;
  perform set_config('slipway.erased_organisation', '', true);
end $function$;

-- migration 0009
create function guard_live_request()
  returns trigger
  language plpgsql
  as $function$
begin
  if old.state in ('approved', 'rejected', 'withdrawn') then
    raise exception 'a decided request stays as it is' using errcode = '23514';
  end if;
  if old.state = 'submitted' and (new.scopes::text, new.contacts::text, new.document, new.app_id, new.organisation_id)
     is distinct from (old.scopes::text, old.contacts::text, old.document, old.app_id, old.organisation_id) then
    raise exception 'a submitted request is frozen' using errcode = '23514';
  end if;
  if not new.hands @> old.hands then
    raise exception 'who had a hand in a request stays known' using errcode = '23514';
  end if;
  new.version := old.version + 1;
  return new;
end $function$;

-- migration 0009
create function guard_live_step()
  returns trigger
  language plpgsql
  as $function$
begin
  raise exception 'what was done is only added to' using errcode = '23514';
end $function$;

-- migration 0006
create function keep_audited()
  returns trigger
  language plpgsql
  as $function$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if old.organisation_id::text = current_setting('slipway.erased_organisation', true) then return old; end if;
  end if;
  raise exception 'what was audited stays as it is' using errcode = '23514';
end $function$;

-- migration 0016
create function newest_audit_head()
  returns table(organisation_id uuid, sequence bigint, hash text)
  language sql
  stable
  as $function$
  select organisation_id, sequence, encode(hash, 'hex') from audit_heads where hash is not null order by at desc limit 1
$function$;

-- migration 0003
create function refuse_change()
  returns trigger
  language plpgsql
  as $function$
begin
  raise exception 'what operators did is only added to' using errcode = 'check_violation';
end $function$;
