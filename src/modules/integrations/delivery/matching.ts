import type { EventTag } from '../../events/index.ts';
import type { OpenIntegration } from '../configuration/open.ts';

/** The properties of an event that filters of integrations use. */
export interface MatchedEvent {
  readonly type: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly tags: readonly EventTag[];
  /** The last event before this one that deleted a project with this id; 0: there is none. */
  readonly projectDeletedAt: number;
}

/** An empty list is no filter. An event without a project or environment passes every filter. */
const passes = (filter: readonly string[], value: string | null): boolean =>
  filter.length === 0 || value === null || filter.includes(value);

/** An event without tags passes no tag filter. */
const isTagged = (wanted: readonly EventTag[], tags: readonly EventTag[]): boolean =>
  wanted.length === 0 ||
  wanted.some(({ type, value }) => tags.some((tag) => tag.type === type && tag.value === value));

/** A project filter means the project that had the id when the filter was set, not a later one with the same id. */
const isSameProject = (
  { projects, namedAfter }: Pick<Filters, 'projects' | 'namedAfter'>,
  event: MatchedEvent,
) => projects.length === 0 || event.project === null || event.projectDeletedAt <= namedAfter;

type Filters = Pick<
  OpenIntegration,
  'enabled' | 'events' | 'projects' | 'environments' | 'tags' | 'namedAfter'
>;

/** Whether an event matches the filters. `visibility.ts` decides whether the integration may report it. */
export const matches = (integration: Filters, event: MatchedEvent): boolean =>
  integration.enabled &&
  integration.events.includes(event.type) &&
  passes(integration.projects, event.project) &&
  passes(integration.environments, event.environment) &&
  isTagged(integration.tags, event.tags) &&
  isSameProject(integration, event);
