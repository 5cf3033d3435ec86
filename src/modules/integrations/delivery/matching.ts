import type { EventTag } from '../../events/index.ts';
import type { OpenIntegration } from '../configuration/open.ts';

/** What decides who is told of an event. */
export interface Subject {
  readonly type: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly tags: readonly EventTag[];
  /** The last event that deleted a project of this id before the event; 0: none did. */
  readonly projectDeletedAt: number;
}

/** An empty list is no filter; an event without a project or environment concerns all of them. */
const passes = (wanted: readonly string[], value: string | null): boolean =>
  wanted.length === 0 || value === null || wanted.includes(value);

/** Here an event without tags passes no filter: a filter by tags asks for features that have one. */
const isTagged = (wanted: readonly EventTag[], tags: readonly EventTag[]): boolean =>
  wanted.length === 0 ||
  wanted.some(({ type, value }) => tags.some((tag) => tag.type === type && tag.value === value));

/** A project that has the id of one that was deleted after it was named is not the one that was meant. */
const isMeant = (
  { projects, namedAfter }: Pick<Filters, 'projects' | 'namedAfter'>,
  event: Subject,
) => projects.length === 0 || event.project === null || event.projectDeletedAt <= namedAfter;

type Filters = Pick<
  OpenIntegration,
  'enabled' | 'events' | 'projects' | 'environments' | 'tags' | 'namedAfter'
>;

/** Whether an integration asks for an event; whether it may be told is another matter (`visibility.ts`). */
export const concerns = (integration: Filters, event: Subject): boolean =>
  integration.enabled &&
  integration.events.includes(event.type) &&
  passes(integration.projects, event.project) &&
  passes(integration.environments, event.environment) &&
  isTagged(integration.tags, event.tags) &&
  isMeant(integration, event);
