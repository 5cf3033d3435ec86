import { isDeepStrictEqual } from 'node:util';
import type { ChangeRequestEnvironment } from '../../catalogue/projects/index.ts';
import type { EventDraft, EventType } from '../../events/index.ts';

/**
 * What an event of a type says about evaluations: something changed in the environment that it names, in all
 * environments of its project, or wherever its segment is used. `nothing`: evaluations stay the same.
 */
type Reach = 'environment' | 'project' | 'segment' | 'nothing';

/**
 * Every change records an event (`test/every-mutation-records.test.ts`), so this table decides for all operations which
 * changes need approval. The compiler asks for a decision about every new type.
 */
const reachOf: Readonly<Record<EventType, Reach>> = {
  'feature-strategy-add': 'environment',
  'feature-strategy-update': 'environment',
  'feature-strategy-remove': 'environment',
  'strategy-order-changed': 'environment',
  'feature-environment-enabled': 'environment',
  'feature-environment-disabled': 'environment',
  'feature-environment-variants-updated': 'environment',
  // Features that are enabled later get it, also by a request that was approved before.
  'default-strategy-updated': 'environment',
  'release-plan-added': 'environment',
  'release-plan-removed': 'environment',
  'release-plan-milestone-started': 'environment',

  'feature-variants-updated': 'project',
  'feature-project-change': 'project',
  'feature-archived': 'project',
  'feature-revived': 'project',
  // Nothing can bring it back.
  'feature-deleted': 'project',
  'feature-dependency-added': 'project',
  'feature-dependency-removed': 'project',
  'feature-dependencies-removed': 'project',
  'drop-features': 'project',

  'segment-updated': 'segment',
  'segment-deleted': 'segment',

  // A new feature is disabled. What it gets in an environment has its own events.
  'feature-created': 'nothing',
  'feature-import': 'nothing',
  'features-imported': 'nothing',
  'features-exported': 'nothing',
  // Type, description, owner, and whether SDKs emit impressions: none of them changes a decision.
  'feature-updated': 'nothing',
  'feature-metadata-updated': 'nothing',
  'feature-type-updated': 'nothing',
  'feature-tagged': 'nothing',
  'feature-untagged': 'nothing',
  'feature-tag-import': 'nothing',
  'drop-feature-tags': 'nothing',
  'feature-completed': 'nothing',
  'feature-uncompleted': 'nothing',
  'feature-stale-on': 'nothing',
  'feature-stale-off': 'nothing',
  'feature-potentially-stale-on': 'nothing',
  'feature-favorited': 'nothing',
  'feature-unfavorited': 'nothing',
  // Types and fields describe what strategies contain. One in use cannot be deleted.
  'strategy-created': 'nothing',
  'strategy-deleted': 'nothing',
  'strategy-deprecated': 'nothing',
  'strategy-reactivated': 'nothing',
  'strategy-updated': 'nothing',
  'strategy-import': 'nothing',
  'drop-strategies': 'nothing',
  'context-field-created': 'nothing',
  'context-field-updated': 'nothing',
  'context-field-deleted': 'nothing',
  // No strategy uses it yet.
  'segment-created': 'nothing',
  'segment-import': 'nothing',
  // The features of a new environment are disabled; its removal is checked before its settings are gone.
  'project-environment-added': 'nothing',
  'project-environment-removed': 'nothing',
  'environment-created': 'nothing',
  'environment-updated': 'nothing',
  'environment-deleted': 'nothing',
  'environment-import': 'nothing',
  'drop-environments': 'nothing',
  'project-created': 'nothing',
  'project-updated': 'nothing',
  // The deletion is checked before the settings are gone. An archived project has no active features.
  'project-deleted': 'nothing',
  'project-archived': 'nothing',
  'project-revived': 'nothing',
  'project-import': 'nothing',
  'drop-projects': 'nothing',
  'project-favorited': 'nothing',
  'project-unfavorited': 'nothing',
  // Requests wait. Applying one records the events of its changes.
  'change-request-created': 'nothing',
  'change-request-discarded': 'nothing',
  'change-added': 'nothing',
  'change-discarded': 'nothing',
  'change-edited': 'nothing',
  'change-request-rejected': 'nothing',
  'change-request-approved': 'nothing',
  'change-request-approval-added': 'nothing',
  'change-request-cancelled': 'nothing',
  'change-request-sent-to-review': 'nothing',
  'change-request-schedule-suspended': 'nothing',
  'change-request-applied': 'nothing',
  'change-request-scheduled': 'nothing',
  'change-request-scheduled-application-success': 'nothing',
  'change-request-scheduled-application-failure': 'nothing',
  // Needs the permission to change the project.
  'change-request-configuration-updated': 'nothing',
  'release-plan-template-created': 'nothing',
  'release-plan-template-updated': 'nothing',
  'release-plan-template-deleted': 'nothing',
  'release-plan-template-archived': 'nothing',
  // Accounts, access, tokens, tags, integrations, usage, and settings of the installation.
  'application-created': 'nothing',
  'project-access-added': 'nothing',
  'project-access-user-roles-updated': 'nothing',
  'project-access-group-roles-updated': 'nothing',
  'project-access-user-roles-deleted': 'nothing',
  'project-access-group-roles-deleted': 'nothing',
  'project-access-updated': 'nothing',
  'project-user-added': 'nothing',
  'project-user-removed': 'nothing',
  'project-user-role-changed': 'nothing',
  'project-group-role-changed': 'nothing',
  'project-group-added': 'nothing',
  'project-group-removed': 'nothing',
  'role-created': 'nothing',
  'role-updated': 'nothing',
  'role-deleted': 'nothing',
  'tag-created': 'nothing',
  'tag-deleted': 'nothing',
  'tag-import': 'nothing',
  'drop-tags': 'nothing',
  'tag-type-created': 'nothing',
  'tag-type-deleted': 'nothing',
  'tag-type-updated': 'nothing',
  'tag-type-import': 'nothing',
  'drop-tag-types': 'nothing',
  'addon-config-created': 'nothing',
  'addon-config-updated': 'nothing',
  'addon-config-deleted': 'nothing',
  'db-pool-update': 'nothing',
  'user-created': 'nothing',
  'user-updated': 'nothing',
  'user-deleted': 'nothing',
  'user-preference-updated': 'nothing',
  'group-created': 'nothing',
  'group-updated': 'nothing',
  'group-deleted': 'nothing',
  'group-user-added': 'nothing',
  'group-user-removed': 'nothing',
  'setting-created': 'nothing',
  'setting-updated': 'nothing',
  'setting-deleted': 'nothing',
  'client-metrics': 'nothing',
  'client-register': 'nothing',
  'pat-created': 'nothing',
  'pat-deleted': 'nothing',
  'public-signup-token-created': 'nothing',
  'public-signup-token-user-added': 'nothing',
  'public-signup-token-updated': 'nothing',
  'api-token-created': 'nothing',
  'api-token-updated': 'nothing',
  'api-token-deleted': 'nothing',
  'service-account-created': 'nothing',
  'service-account-deleted': 'nothing',
  'service-account-updated': 'nothing',
  'banner-created': 'nothing',
  'banner-updated': 'nothing',
  'banner-deleted': 'nothing',
  'signal-endpoint-created': 'nothing',
  'signal-endpoint-updated': 'nothing',
  'signal-endpoint-deleted': 'nothing',
  'signal-endpoint-token-created': 'nothing',
  'signal-endpoint-token-updated': 'nothing',
  'signal-endpoint-token-deleted': 'nothing',
  'actions-created': 'nothing',
  'actions-updated': 'nothing',
  'actions-deleted': 'nothing',
  'scim-users-deleted': 'nothing',
  'scim-groups-deleted': 'nothing',
};

/** Where the events of a transaction change evaluations. */
export interface Effects {
  readonly places: readonly ChangeRequestEnvironment[];
  /** Projects in all of whose environments something changes. */
  readonly projects: readonly string[];
  /** Segments that change wherever they are used. */
  readonly segments: readonly number[];
}

const constraintsOf = (facts: EventDraft['data']) => facts?.constraints ?? null;

/** Constraints of a segment decide; its name and description don't. */
const changesSegment = ({ data, preData }: EventDraft): boolean =>
  !data || !isDeepStrictEqual(constraintsOf(data), constraintsOf(preData));

export function effectsOf(drafts: readonly EventDraft[]): Effects {
  const places = new Map<string, ChangeRequestEnvironment>();
  const projects = new Set<string>();
  const segments = new Set<number>();
  for (const draft of drafts) {
    const { project, environment, data, preData, formerProject } = draft;
    const reach = reachOf[draft.definition.type];
    if (reach === 'environment' && project && environment) {
      places.set(`${environment} ${project}`, { project, environment });
    }
    if (reach === 'project' && project) projects.add(project);
    if (formerProject) projects.add(formerProject);
    if (reach === 'segment' && changesSegment(draft)) {
      segments.add(Number((preData ?? data)?.id));
      const owner = preData?.project;
      if (typeof owner === 'string') projects.add(owner);
    }
  }
  return { places: [...places.values()], projects: [...projects], segments: [...segments] };
}
