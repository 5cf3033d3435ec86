import type { EventType } from '../../../src/modules/events/event-types-schema.ts';

/**
 * What each type of event means: a short label for lists, and a sentence. In a sentence `{feature}` is what the event is
 * about, `{data.name}` a value of its data, and a part in square brackets is left out where a value in it is missing.
 * Where `stored` is true the log's own sentence says more, because several things share the type.
 */
export interface TypeWords {
  readonly label: string;
  readonly sentence: string;
  readonly stored?: true;
}

const words = (label: string, sentence: string): TypeWords => ({ label, sentence });
const stored = (label: string, sentence: string): TypeWords => ({ label, sentence, stored: true });

export const typeWords: Readonly<Record<EventType, TypeWords>> = {
  'application-created': words(
    'application seen',
    'The application {data.appName} was seen for the first time',
  ),
  'feature-created': words(
    'feature created',
    '{actor} created {feature}[ as a copy of {data.clonedFrom.feature}][ in {project}]',
  ),
  'feature-deleted': words(
    'feature deleted',
    '{actor} deleted {feature|preData.name} for good[ from {project}]',
  ),
  'feature-updated': words('feature updated', '{actor} changed {feature}'),
  'feature-metadata-updated': stored('details changed', '{actor} changed the details of {feature}'),
  'feature-variants-updated': words(
    'variants changed everywhere',
    '{actor} changed the variants of {feature} in all environments',
  ),
  'feature-environment-variants-updated': words(
    'variants changed',
    '{actor} changed the variants of {feature}[ in {environment}]',
  ),
  'feature-project-change': words(
    'feature moved',
    '{actor} moved {feature}[ from {data.oldProject}][ to {project}]',
  ),
  'feature-archived': words('feature archived', '{actor} archived {feature}'),
  'feature-revived': words('feature revived', '{actor} revived {feature}, switched off everywhere'),
  'feature-import': words('feature imported', '{actor} imported the feature {feature|data.name}'),
  'feature-tagged': words('tag added', '{actor} tagged {feature} with {data.type}:{data.value}'),
  'feature-tag-import': words(
    'tag of feature imported',
    '{actor} imported a tag of {feature|data.featureName}',
  ),
  'feature-strategy-update': words(
    'strategy changed',
    '{actor} changed the strategy {data.title|data.name} of {feature}[ in {environment}]',
  ),
  'feature-strategy-add': words(
    'strategy added',
    '{actor} added the strategy {data.title|data.name} to {feature}[ in {environment}]',
  ),
  'feature-strategy-remove': words(
    'strategy removed',
    '{actor} removed the strategy {preData.title|preData.name} from {feature}[ in {environment}]',
  ),
  'feature-type-updated': stored(
    'feature type changed',
    '{actor} changed the feature type {data.name}',
  ),
  'feature-completed': words(
    'feature completed',
    '{actor} completed {feature}[: it is {data.status}][ with {data.statusValue}]',
  ),
  'feature-uncompleted': words('no longer completed', '{actor} marked {feature} as not completed'),
  'strategy-order-changed': words(
    'strategies reordered',
    '{actor} reordered the strategies of {feature}[ in {environment}]',
  ),
  'drop-feature-tags': words(
    'all tags of features dropped',
    '{actor} dropped all tags of features before an import',
  ),
  'feature-untagged': words(
    'tag removed',
    '{actor} removed the tag {preData.type}:{preData.value} from {feature}',
  ),
  'feature-stale-on': words('marked as stale', '{actor} marked {feature} as stale'),
  'feature-stale-off': words('no longer stale', '{actor} marked {feature} as not stale'),
  'drop-features': words('all features dropped', '{actor} dropped all features before an import'),
  'feature-environment-enabled': words(
    'switched on',
    '{actor} switched {feature} on[ in {environment}]',
  ),
  'feature-environment-disabled': words(
    'switched off',
    '{actor} switched {feature} off[ in {environment}]',
  ),
  'strategy-created': words(
    'strategy type created',
    '{actor} created the strategy type {data.name}',
  ),
  'strategy-deleted': words(
    'strategy type deleted',
    '{actor} deleted the strategy type {data.name|preData.name}',
  ),
  'strategy-deprecated': words(
    'strategy type deprecated',
    '{actor} deprecated the strategy type {data.name}',
  ),
  'strategy-reactivated': words(
    'strategy type reactivated',
    '{actor} reactivated the strategy type {data.name}',
  ),
  'strategy-updated': words(
    'strategy type changed',
    '{actor} changed the strategy type {data.name}',
  ),
  'strategy-import': words(
    'strategy type imported',
    '{actor} imported the strategy type {data.name}',
  ),
  'drop-strategies': words(
    'all strategy types dropped',
    '{actor} dropped all strategy types before an import',
  ),
  'context-field-created': words(
    'context field created',
    '{actor} created the context field {data.name}',
  ),
  'context-field-updated': words(
    'context field changed',
    '{actor} changed the context field {data.name|preData.name}',
  ),
  'context-field-deleted': words(
    'context field deleted',
    '{actor} deleted the context field {preData.name}',
  ),
  'project-access-added': words('access granted', '{actor} granted roles in {project}'),
  'project-access-user-roles-updated': words(
    'roles of user changed',
    '{actor} changed the roles of user {data.userId} in {project}',
  ),
  'project-access-group-roles-updated': words(
    'roles of group changed',
    '{actor} changed the roles of group {data.groupId} in {project}',
  ),
  'project-access-user-roles-deleted': words(
    'roles of user removed',
    '{actor} removed all roles of user {preData.userId} in {project}',
  ),
  'project-access-group-roles-deleted': words(
    'roles of group removed',
    '{actor} removed all roles of group {preData.groupId} in {project}',
  ),
  'project-access-updated': words('access replaced', '{actor} replaced all roles in {project}'),
  'project-created': words('project created', '{actor} created the project {project}'),
  'project-updated': words('project changed', '{actor} changed the project {project}'),
  'project-deleted': words('project deleted', '{actor} deleted the project {project}'),
  'project-archived': words('project archived', '{actor} archived the project {project}'),
  'project-revived': words('project revived', '{actor} revived the project {project}'),
  'project-import': words('project imported', '{actor} imported the project {project|data.name}'),
  'project-user-added': words(
    'user added to project',
    '{actor} made {data.email|data.userId} {data.roleName} in {project}',
  ),
  'project-user-removed': words(
    'user removed from project',
    '{actor} removed the role {preData.roleName} in {project} from {preData.email|preData.userId}',
  ),
  'project-user-role-changed': words(
    'role of user changed',
    '{actor} made {data.email|data.userId} {data.roleName} in {project}[, previously {preData.roleName}]',
  ),
  'project-group-role-changed': words(
    'role of group changed',
    '{actor} made group {data.groupId} {data.roleName} in {project}[, previously {preData.roleName}]',
  ),
  'project-group-added': words(
    'group added to project',
    '{actor} made group {data.groupId} {data.roleName} in {project}',
  ),
  'project-group-removed': words(
    'group removed from project',
    '{actor} removed the role {preData.roleName} in {project} from group {preData.groupId}',
  ),
  'role-created': words('role created', '{actor} created the role {data.name}'),
  'role-updated': words('role changed', '{actor} changed the role {data.name}'),
  'role-deleted': words('role deleted', '{actor} deleted the role {preData.name}'),
  'drop-projects': words('all projects dropped', '{actor} dropped all projects before an import'),
  'tag-created': words('tag created', '{actor} created the tag {data.type}:{data.value}'),
  'tag-deleted': words('tag deleted', '{actor} deleted the tag {data.type}:{data.value}'),
  'tag-import': words('tag imported', '{actor} imported the tag {data.type}:{data.value}'),
  'drop-tags': words('all tags dropped', '{actor} dropped all tags before an import'),
  'tag-type-created': words('tag type created', '{actor} created the tag type {data.name}'),
  'tag-type-deleted': words('tag type deleted', '{actor} deleted the tag type {preData.name}'),
  'tag-type-updated': words('tag type changed', '{actor} changed the tag type {data.name}'),
  'tag-type-import': words('tag type imported', '{actor} imported the tag type {data.name}'),
  'drop-tag-types': words(
    'all tag types dropped',
    '{actor} dropped all tag types before an import',
  ),
  'addon-config-created': stored(
    'integration created',
    '{actor} created the integration {data.provider}',
  ),
  'addon-config-updated': stored(
    'integration changed',
    '{actor} changed the integration {data.provider}',
  ),
  'addon-config-deleted': stored(
    'integration deleted',
    '{actor} deleted the integration {preData.provider}',
  ),
  'db-pool-update': words('database pool changed', 'The pool of database connections changed'),
  'user-created': stored(
    'user created',
    '{actor} created the user {data.name|data.username|data.email}',
  ),
  'user-updated': stored(
    'user changed',
    '{actor} changed the user {data.name|data.username|data.email}',
  ),
  'user-deleted': stored(
    'user deleted',
    '{actor} deleted the user {preData.name|preData.username|preData.email}',
  ),
  'drop-environments': words(
    'all environments dropped',
    '{actor} dropped all environments before an import',
  ),
  'environment-import': words(
    'environment imported',
    '{actor} imported the environment {environment|data.name}',
  ),
  'environment-created': words(
    'environment created',
    '{actor} created the environment {environment|data.name}',
  ),
  'environment-updated': stored(
    'environment changed',
    '{actor} changed the environment {environment|data.name}',
  ),
  'environment-deleted': words(
    'environment deleted',
    '{actor} deleted the environment {environment|preData.name}',
  ),
  'segment-created': words(
    'segment created',
    '{actor} created the segment {data.name}[ in {project}]',
  ),
  'segment-updated': words(
    'segment changed',
    '{actor} changed the segment {data.name}[ in {project}]',
  ),
  'segment-deleted': words(
    'segment deleted',
    '{actor} deleted the segment {preData.name}[ in {project}]',
  ),
  'group-created': words('group created', '{actor} created the group {data.name}'),
  'group-updated': words('group changed', '{actor} changed the group {data.name}'),
  'group-deleted': words('group deleted', '{actor} deleted the group {preData.name}'),
  'group-user-added': words(
    'user added to group',
    '{actor} added user {data.userId} to the group {data.groupName}',
  ),
  'group-user-removed': words(
    'user removed from group',
    '{actor} removed user {preData.userId} from the group {preData.groupName}',
  ),
  'setting-created': stored('setting created', '{actor} created the setting {data.id}'),
  'setting-updated': stored('setting changed', '{actor} changed the setting {data.id}'),
  'setting-deleted': stored('setting removed', '{actor} removed the setting {data.id}'),
  'client-metrics': words('usage reported', 'An application reported usage'),
  'client-register': words('application registered', 'An application registered'),
  'pat-created': stored('personal token created', '{actor} created a personal access token'),
  'pat-deleted': stored('personal token revoked', '{actor} revoked a personal access token'),
  'public-signup-token-created': words(
    'invite link created',
    '{actor} created the invite link {data.name}',
  ),
  'public-signup-token-user-added': words(
    'signed up',
    'Somebody signed up through the invite link {data.name}',
  ),
  'public-signup-token-updated': words(
    'invite link changed',
    '{actor} changed the invite link {data.name}',
  ),
  'change-request-created': words(
    'change request created',
    '{actor} opened a change request for {feature|project}[ in {environment}]',
  ),
  'change-request-discarded': words(
    'change request discarded',
    '{actor} discarded a change request[ in {environment}][ of {project}]',
  ),
  'change-added': words(
    'change added',
    '{actor} added a change of {feature|project} to a change request',
  ),
  'change-discarded': words(
    'change discarded',
    '{actor} removed a change of {feature|project} from a change request',
  ),
  'change-edited': words(
    'change edited',
    '{actor} edited a change of {feature|project} in a change request',
  ),
  'change-request-rejected': words(
    'change request rejected',
    '{actor} rejected a change request[ in {environment}][ of {project}]',
  ),
  'change-request-approved': words(
    'change request approved',
    '{actor} approved a change request[ in {environment}][ of {project}]',
  ),
  'change-request-approval-added': words(
    'approval added',
    '{actor} added an approval to a change request[ in {environment}][ of {project}]',
  ),
  'change-request-cancelled': words(
    'change request cancelled',
    '{actor} cancelled a change request[ in {environment}][ of {project}]',
  ),
  'change-request-sent-to-review': words(
    'sent to review',
    '{actor} sent a change request to review[ in {environment}][ of {project}]',
  ),
  'change-request-schedule-suspended': words(
    'schedule suspended',
    'The schedule of a change request was suspended[ in {project}]',
  ),
  'change-request-applied': words(
    'change request applied',
    '{actor} applied a change request[ in {environment}][ of {project}]',
  ),
  'change-request-scheduled': words(
    'change request scheduled',
    '{actor} scheduled a change request[ in {environment}][ of {project}]',
  ),
  'change-request-scheduled-application-success': words(
    'scheduled changes applied',
    'A scheduled change request was applied[ in {project}]',
  ),
  'change-request-scheduled-application-failure': words(
    'scheduled changes failed',
    'A scheduled change request could not be applied[ in {project}]',
  ),
  'change-request-configuration-updated': words(
    'approval rules changed',
    '{actor} changed how changes are approved[ in {environment}][ of {project}]',
  ),
  'api-token-created': words(
    'API token created',
    '{actor} created the {data.type} token {data.tokenName}',
  ),
  'api-token-updated': words(
    'API token changed',
    '{actor} changed the {data.type} token {data.tokenName}',
  ),
  'api-token-deleted': words(
    'API token revoked',
    '{actor} revoked the {preData.type} token {preData.tokenName}',
  ),
  'feature-favorited': words('feature starred', '{actor} starred {feature}'),
  'feature-unfavorited': words('feature unstarred', '{actor} removed the star from {feature}'),
  'project-favorited': words('project starred', '{actor} starred the project {project}'),
  'project-unfavorited': words(
    'project unstarred',
    '{actor} removed the star from the project {project}',
  ),
  'features-exported': stored('features exported', '{actor} exported features[ of {environment}]'),
  'features-imported': stored(
    'features imported',
    '{actor} imported features[ into {environment}][ of {project}]',
  ),
  'service-account-created': words(
    'service account created',
    '{actor} created the service account {data.name|data.username}',
  ),
  'service-account-deleted': words(
    'service account deleted',
    '{actor} deleted the service account {preData.name|preData.username}',
  ),
  'service-account-updated': words(
    'service account changed',
    '{actor} changed the service account {data.name|data.username}',
  ),
  'feature-potentially-stale-on': words(
    'potentially stale',
    '{feature} is older than the lifetime of its type',
  ),
  'feature-dependency-added': stored(
    'dependency added',
    '{actor} made {feature} depend on {data.feature}',
  ),
  'feature-dependency-removed': words(
    'dependency removed',
    '{actor} made {feature} independent of {data.feature}',
  ),
  'feature-dependencies-removed': words(
    'dependencies removed',
    '{actor} made {feature} independent of all others',
  ),
  'banner-created': words('banner created', '{actor} created a banner'),
  'banner-updated': words('banner changed', '{actor} changed a banner'),
  'banner-deleted': words('banner deleted', '{actor} deleted a banner'),
  'project-environment-added': words(
    'environment added',
    '{actor} added {environment} to the project {project}',
  ),
  'project-environment-removed': words(
    'environment removed',
    '{actor} removed {environment} from the project {project}',
  ),
  'default-strategy-updated': words(
    'default strategy changed',
    '{actor} changed the default strategy of {project}[ in {environment}]',
  ),
  'segment-import': words('segment imported', '{actor} imported the segment {data.name}'),
  'signal-endpoint-created': words(
    'signal endpoint created',
    '{actor} created the signal endpoint {data.name}',
  ),
  'signal-endpoint-updated': words(
    'signal endpoint changed',
    '{actor} changed the signal endpoint {data.name}',
  ),
  'signal-endpoint-deleted': words(
    'signal endpoint deleted',
    '{actor} deleted the signal endpoint {preData.name}',
  ),
  'signal-endpoint-token-created': words(
    'signal token created',
    '{actor} created a token of a signal endpoint',
  ),
  'signal-endpoint-token-updated': words(
    'signal token changed',
    '{actor} changed a token of a signal endpoint',
  ),
  'signal-endpoint-token-deleted': words(
    'signal token deleted',
    '{actor} deleted a token of a signal endpoint',
  ),
  'actions-created': words('action created', '{actor} created the action {data.name}'),
  'actions-updated': words('action changed', '{actor} changed the action {data.name}'),
  'actions-deleted': words('action deleted', '{actor} deleted the action {preData.name}'),
  'release-plan-template-created': words(
    'release template created',
    '{actor} created the release template {data.name}',
  ),
  'release-plan-template-updated': words(
    'release template changed',
    '{actor} changed the release template {data.name}',
  ),
  'release-plan-template-deleted': words(
    'release template deleted',
    '{actor} deleted the release template {preData.name}',
  ),
  'release-plan-template-archived': words(
    'release template archived',
    '{actor} archived the release template {data.name|preData.name}',
  ),
  'release-plan-added': words(
    'release plan added',
    '{actor} added a release plan to {feature}[ in {environment}]',
  ),
  'release-plan-removed': words(
    'release plan removed',
    '{actor} removed the release plan of {feature}[ in {environment}]',
  ),
  'release-plan-milestone-started': words(
    'milestone started',
    '{actor} started a milestone of {feature}[ in {environment}]',
  ),
  'user-preference-updated': stored('preference changed', '{actor} changed a preference'),
  'scim-users-deleted': words(
    'provisioned users deleted',
    '{actor} deleted all users that were provisioned',
  ),
  'scim-groups-deleted': words(
    'provisioned groups deleted',
    '{actor} deleted all groups that were provisioned',
  ),
};
