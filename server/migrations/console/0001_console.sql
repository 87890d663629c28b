-- The Console's database: people, their sessions, organisations and members. It knows nothing of keys or servers.

-- The identity library's tables, as it names them; only the sessions feature's adapter touches them.
create table "user" (
  "id" text primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create table "session" (
  "id" text primary key,
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references "user" ("id") on delete cascade
);
create index session_by_user on "session" ("userId");
create table "account" (
  "id" text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index account_by_user on "account" ("userId");
create table "verification" (
  "id" text primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index verification_by_identifier on "verification" ("identifier");
create table "rateLimit" (
  "id" text primary key,
  "key" text not null unique,
  "count" integer not null,
  "lastRequest" bigint not null
);

create table organisations (
  organisation_id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp()
);

create table members (
  organisation_id uuid not null references organisations on delete cascade,
  person_id text not null references "user" ("id") on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'auditor', 'viewer')),
  joined_at timestamptz not null default clock_timestamp(),
  primary key (organisation_id, person_id)
);
create index members_by_person on members (person_id);

-- Single facts about this Console, such as the first run's demo.
create table facts (
  name text primary key,
  value jsonb not null
);
