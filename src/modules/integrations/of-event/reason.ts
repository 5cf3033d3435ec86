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

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' });

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
  const [was, did] = isOfThatTime ? ['was', 'did'] : ['is', 'does'];
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
    return { reason: 'disabled', why: `The integration ${was} disabled${then}` };
  }
  if (!passes({ events: settings.events })) {
    return {
      reason: 'type',
      why: `The integration ${did} not send events of the type ${event.type}${then}`,
    };
  }
  if (!passes({ projects: settings.projects })) {
    return {
      reason: 'project',
      why: isDeleted
        ? `Its project filter ${was} set for another project with the id ${event.project}, which has been deleted`
        : `Its project filter ${did} not include ${event.project}${then}`,
    };
  }
  if (!passes({ environments: settings.environments })) {
    return {
      reason: 'environment',
      why: `Its environment filter ${did} not include ${event.environment}${then}`,
    };
  }
  if (!passes({ tags: settings.tags })) {
    const wanted = list.format(settings.tags.map(({ type, value }) => `${type}:${value}`));
    return { reason: 'tags', why: `The feature did not have the tag ${wanted}` };
  }
  return undefined;
}
