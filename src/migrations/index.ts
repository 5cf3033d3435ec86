import type { Migration } from 'kysely';
import * as events from './0001-events.ts';
import * as access from './0002-access.ts';
import * as environments from './0003-environments.ts';
import * as projects from './0004-projects.ts';
import * as signingKeys from './0005-signing-keys.ts';
import * as contextFields from './0006-context-fields.ts';
import * as segments from './0007-segments.ts';
import * as strategyTypes from './0008-strategy-types.ts';
import * as features from './0009-features.ts';
import * as tags from './0010-tags.ts';
import * as strategies from './0011-strategies.ts';
import * as moduleStarts from './0012-module-starts.ts';
import * as appendInBatches from './0013-append-in-batches.ts';
import * as lockFeatures from './0014-lock-features.ts';
import * as lockOriginals from './0015-lock-originals.ts';
import * as people from './0016-people.ts';
import * as integrations from './0017-integrations.ts';
import * as usage from './0018-usage.ts';
import * as reviews from './0019-reviews.ts';
import * as codeReferences from './0020-code-references.ts';
import * as projectHealth from './0021-project-health.ts';
import * as healthReport from './0022-health-report.ts';
import * as daysOfABatch from './0023-days-of-a-batch.ts';
import * as featureAuthors from './0024-feature-authors.ts';
import * as reportsOfLargeLogs from './0025-reports-of-large-logs.ts';
import * as firstEventOfAProject from './0026-first-event-of-a-project.ts';
import * as indexesWithProjects from './0027-indexes-with-projects.ts';
import * as eventsOfAPerson from './0028-events-of-a-person.ts';
import * as healthHistoryGoesOn from './0029-health-history-goes-on.ts';
import * as tagsOfDeletedProjects from './0030-tags-of-deleted-projects.ts';
import * as responsibleAccounts from './0031-responsible-accounts.ts';
import * as functionsOfOneSchema from './0032-functions-of-one-schema.ts';
import * as logins from './0036-logins.ts';
import * as variantsByName from './0037-variants-by-name.ts';
import * as readableTokens from './0039-readable-tokens.ts';
import * as projectSettings from './0040-project-settings.ts';
import * as descriptionsNeverGiven from './0041-descriptions-never-given.ts';
import * as instanceId from './0042-instance-id.ts';
import * as authorsOfLinks from './0043-authors-of-links.ts';
import * as encryptionKeys from './0046-encryption-keys.ts';
import * as noMarksOfSightings from './0047-no-marks-of-sightings.ts';
import * as featureAges from './0048-feature-ages.ts';
import * as asksBeforeProduction from './0049-asks-before-production.ts';
import * as redeliveries from './0050-redeliveries.ts';
import * as featureLinks from './0051-feature-links.ts';
import * as ignoredNames from './0053-ignored-names.ts';
import * as follows from './0054-follows.ts';
import * as imports from './0060-imports.ts';
import * as whoRedelivered from './0061-who-redelivered.ts';
import * as builtInDescriptions from './0062-built-in-descriptions.ts';
import * as evaluationHours from './0063-evaluation-hours.ts';
import * as featureOwners from './0064-feature-owners.ts';
import * as savedViews from './0065-saved-views.ts';
import * as notifications from './0066-notifications.ts';
import * as changeRequestSettings from './0067-change-request-settings.ts';
import * as changeRequests from './0069-change-requests.ts';
import * as changeRequestRules from './0070-change-request-rules.ts';
import * as changeRequestEmergencies from './0071-change-request-emergencies.ts';
import * as eventRecipients from './0072-event-recipients.ts';
import * as calendar from './0073-calendar.ts';
import * as identityOfProposedFeatures from './0075-identity-of-proposed-features.ts';
import * as history from './0076-history.ts';
import * as segmentsOfProposedStrategies from './0080-segments-of-proposed-strategies.ts';
import * as eventsByRequest from './0081-events-by-request.ts';
import * as edges from './0082-edges.ts';
import * as usageBatches from './0083-usage-batches.ts';
import * as eventsByReverted from './0085-events-by-reverted.ts';
import * as restores from './0090-restores.ts';
import * as featureHistory from './0091-feature-history.ts';

/** In the order of their names. A merged migration is not edited; the functions that it applies stand in functions/. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-events': events,
  '0002-access': access,
  '0003-environments': environments,
  '0004-projects': projects,
  '0005-signing-keys': signingKeys,
  '0006-context-fields': contextFields,
  '0007-segments': segments,
  '0008-strategy-types': strategyTypes,
  '0009-features': features,
  '0010-tags': tags,
  '0011-strategies': strategies,
  '0012-module-starts': moduleStarts,
  '0013-append-in-batches': appendInBatches,
  '0014-lock-features': lockFeatures,
  '0015-lock-originals': lockOriginals,
  '0016-people': people,
  '0017-integrations': integrations,
  '0018-usage': usage,
  '0019-reviews': reviews,
  '0020-code-references': codeReferences,
  '0021-project-health': projectHealth,
  '0022-health-report': healthReport,
  '0023-days-of-a-batch': daysOfABatch,
  '0024-feature-authors': featureAuthors,
  '0025-reports-of-large-logs': reportsOfLargeLogs,
  '0026-first-event-of-a-project': firstEventOfAProject,
  '0027-indexes-with-projects': indexesWithProjects,
  '0028-events-of-a-person': eventsOfAPerson,
  '0029-health-history-goes-on': healthHistoryGoesOn,
  '0030-tags-of-deleted-projects': tagsOfDeletedProjects,
  '0031-responsible-accounts': responsibleAccounts,
  '0032-functions-of-one-schema': functionsOfOneSchema,
  '0036-logins': logins,
  '0037-variants-by-name': variantsByName,
  '0039-readable-tokens': readableTokens,
  '0040-project-settings': projectSettings,
  '0041-descriptions-never-given': descriptionsNeverGiven,
  '0042-instance-id': instanceId,
  '0043-authors-of-links': authorsOfLinks,
  '0046-encryption-keys': encryptionKeys,
  '0047-no-marks-of-sightings': noMarksOfSightings,
  '0048-feature-ages': featureAges,
  '0049-asks-before-production': asksBeforeProduction,
  '0050-redeliveries': redeliveries,
  '0051-feature-links': featureLinks,
  '0053-ignored-names': ignoredNames,
  '0054-follows': follows,
  '0060-imports': imports,
  '0061-who-redelivered': whoRedelivered,
  '0062-built-in-descriptions': builtInDescriptions,
  '0063-evaluation-hours': evaluationHours,
  '0064-feature-owners': featureOwners,
  '0065-saved-views': savedViews,
  '0066-notifications': notifications,
  '0067-change-request-settings': changeRequestSettings,
  '0069-change-requests': changeRequests,
  '0070-change-request-rules': changeRequestRules,
  '0071-change-request-emergencies': changeRequestEmergencies,
  '0072-event-recipients': eventRecipients,
  '0073-calendar': calendar,
  '0075-identity-of-proposed-features': identityOfProposedFeatures,
  '0076-history': history,
  '0080-segments-of-proposed-strategies': segmentsOfProposedStrategies,
  '0081-events-by-request': eventsByRequest,
  '0082-edges': edges,
  '0083-usage-batches': usageBatches,
  '0085-events-by-reverted': eventsByReverted,
  '0090-restores': restores,
  '0091-feature-history': featureHistory,
};
