import type { EventTag } from '../../events/index.ts';
import { type MatchedEvent, matches } from '../delivery/matching.ts';
import type { Reason } from './contract.ts';

/** The settings of an integration that decide whether it sends an event. */
interface Settings {
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly tags: readonly EventTag[];
  /** Projects in the filter that were deleted since it was set. */
  readonly deletedProjects?: readonly string[];
}

type Filtered = Omit<MatchedEvent, 'projectDeletedAt'>;

interface Explanation {
  readonly reason: Reason;
  readonly why: string;
}

const everything: Settings = {
  enabled: true,
  events: [],
  projects: [],
  environments: [],
  tags: [],
};

/** The first setting that keeps the event from being sent; undefined: none does. */
export function findHindrance(
  settings: Settings,
  event: Filtered,
  isOfThatTime: boolean,
): Explanation | undefined {
  const was = isOfThatTime ? 'was' : 'is';
  const then = isOfThatTime ? ' at that time' : '';
  const deletedProjects = settings.deletedProjects ?? [];
  const isDeleted = event.project !== null && deletedProjects.includes(event.project);
  /** Each setting is matched as the fan-out does, alone. */
  const passes = (part: Partial<Settings>) =>
    matches(
      { ...everything, events: [event.type], namedAfter: 0, ...part },
      { ...event, projectDeletedAt: isDeleted ? 1 : 0 },
    );
  if (!settings.enabled) {
    return { reason: 'disabled', why: `Integration ${was} disabled${then}` };
  }
  if (!passes({ events: settings.events })) {
    return {
      reason: 'type',
      why: `Event type ${event.type} ${was} not selected${then}`,
    };
  }
  if (!passes({ projects: settings.projects })) {
    return {
      reason: 'project',
      why: isDeleted
        ? `Project filter refers to a deleted project with the same ID, ${event.project}`
        : `Project ${event.project} ${was} not in the filter${then}`,
    };
  }
  if (!passes({ environments: settings.environments })) {
    return {
      reason: 'environment',
      why: `Environment ${event.environment} ${was} not in the filter${then}`,
    };
  }
  if (!passes({ tags: settings.tags })) {
    const wanted = settings.tags.map(({ type, value }) => `${type}:${value}`).join(', ');
    return { reason: 'tags', why: `Feature had none of the selected tags: ${wanted}` };
  }
  return undefined;
}
