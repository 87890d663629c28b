// The deprecations that the contract declares, and the announced changes of rules. Slipway counts the uses of each
// deprecation per app, notifies the apps that use it, and explains it at /deprecations/<id>. A request that names a deprecated
// part gets headers, and `gone` after the end. A process with a declaration that ends too early does not start. A change
// that breaks the released contract is declared as a deprecation too (docs/architecture/features.md).
import { declaredDeprecations, isOperatorContract } from '../../access/contracts/index.ts';
import {
  type Announcement,
  type Deprecation,
  type MigrationPeriod,
  requireMigrationPeriods,
} from '../../kit/http/deprecation.ts';

/**
 * Announces that an event needs the grant of its resource's own scope (docs/decisions/0060). No request uses this rule:
 * the rule changes which events are readable.
 */
export const EVENT_SCOPES_CHANGE: Announcement = {
  id: 'event-scopes',
  title: 'Events by `events:read` alone',
  replacement:
    'Ask each server to authorise the scope of the resources whose events you need: `publications:read`, `roadmap:read`, `tickets:create`, `workflows:run` or `servers:read`. The key needs `events:read` only. The Console shows in the Overview of the app which events and deliveries the rule would withhold, and can switch the app to the rule early. Apps created since the announcement have the rule already.',
  announced: '2026-11-24',
  ends: '2027-06-01',
};

/** Announced changes of a rule. No single request uses such a rule, so uses are neither counted nor refused. */
export const RULE_CHANGES = requireMigrationPeriods(isOperatorContract ? [] : [EVENT_SCOPES_CHANGE]);

export const ALL_DEPRECATIONS = requireMigrationPeriods(declaredDeprecations);

/** Returns the deprecated parts that an operation of the contract has. */
export const deprecationsOf = (operationId: string): Deprecation[] =>
  ALL_DEPRECATIONS.filter(({ operations }) => operations.includes(operationId));

/** The deprecated event types and schema versions. Reads of the feed and of single events count as uses of them. */
export const EVENT_DEPRECATIONS: Deprecation[] = ALL_DEPRECATIONS.filter(({ where }) => where.in === 'events');

/**
 * Ended deprecations: the breaking changes that the released contract may have. Each change has the text that `npm run
 * contract -- --check` prints for it, with the dates of its announcement and end. A release empties the list.
 */
export const MIGRATIONS: readonly (MigrationPeriod & { changes: readonly string[] })[] = [];
