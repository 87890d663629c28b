-- The identity at an identity provider that signs a person in: by issuer and subject alone. Links of earlier releases stay in the identity
-- library's table, without an issuer; the fact `oidc_legacy_issuer` names theirs.
create table provider_links (
  issuer text not null check (length(issuer) <= 2000),
  subject text not null check (length(subject) between 1 and 2000),
  person_id text not null references "user" ("id") on delete cascade,
  linked_at timestamptz not null default clock_timestamp(),
  primary key (issuer, subject),
  unique (person_id, issuer)
);
-- Set where a signed-in person links the provider, and null where the provider signs a person in.
alter table provider_sign_ins add column person_id text references "user" ("id") on delete cascade;
