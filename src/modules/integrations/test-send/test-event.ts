import type { Actor } from '../../../platform/actor.ts';
import type { EventType } from '../../events/index.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import type { IntegrationEvent } from '../providers/provider.ts';

/**
 * An event that says that it is a test. Its type, project, environment and tags match the integration, so that
 * templates and channels are tested too. No real event has the id 0.
 */
export const testEvent = (
  { provider, events, projects, environments, tags }: OpenIntegration,
  { name, id, sees }: Pick<Actor, 'name' | 'id' | 'sees'>,
  now: Date,
): IntegrationEvent => ({
  id: 0,
  createdAt: now.toISOString(),
  type: (events[0] as EventType | undefined) ?? provider.events[0] ?? 'feature-created',
  createdBy: name,
  createdByUserId: id,
  environment: environments[0] ?? 'development',
  project: projects.find((project) => sees === 'all' || sees.has(project)) ?? 'default',
  featureName: 'test-feature',
  data: { test: true, name: 'test-feature' },
  preData: null,
  tags: [...tags],
  label: 'Test',
  summary: 'This is a test of the integration. Nothing has changed',
  ip: null,
});
