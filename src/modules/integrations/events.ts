import { isDeepStrictEqual } from 'node:util';
import { defineEvent, type EventDefinition, type EventTag } from '../events/index.ts';
import type { Responsible } from './configuration/responsible.ts';

/** What the log tells of an integration: nothing of what it was set up with but the names. */
export interface IntegrationFacts {
  readonly id: number;
  readonly provider: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly tags: readonly EventTag[];
  readonly inOrder: boolean;
  readonly retentionDays: number;
  /** Who answers for what it tells: it tells what this account sees. */
  readonly responsible: Responsible;
  /** Those of its projects that were deleted after they were named: it tells of none that gets such an id anew. */
  readonly deletedProjects?: readonly string[];
  readonly paused: boolean;
  readonly createdAt: string;
  /** Whose values are others now. */
  readonly changedParameters?: readonly string[];
  /** Why it was switched off, where nobody did it by hand. */
  readonly reason?: string;
}

type Words = Parameters<EventDefinition['summary']>[0];

/** A description may be a page long: a sentence holds the beginning. */
const maxDescription = 80;

function named(facts: Words['data'], bold: Words['bold']): string {
  const letters = Array.from(String(facts.description ?? ''));
  const short = letters.slice(0, maxDescription).join('').trim();
  const end = letters.length > maxDescription ? '…' : '';
  return `the integration ${bold(facts.provider)}${short && ` (${bold(`${short}${end}`)})`}`;
}

/** What was done to it, where one word says it all. */
function deed({ data, preData }: Pick<Words, 'data' | 'preData'>): string {
  const changed = Object.keys({ ...preData, ...data }).filter(
    (key) => key !== 'reason' && !isDeepStrictEqual(data[key], preData[key]),
  );
  if (changed.length !== 1) return 'changed';
  if (changed[0] === 'paused') return data.paused ? 'paused' : 'resumed';
  if (changed[0] === 'enabled') return data.enabled ? 'switched on' : 'switched off';
  return 'changed';
}

export const integrationCreated = defineEvent<IntegrationFacts>({
  type: 'addon-config-created',
  label: 'Integration created',
  summary: ({ user, data, bold }) => `${user} created ${named(data, bold)}`,
});

export const integrationUpdated = defineEvent<IntegrationFacts>({
  type: 'addon-config-updated',
  label: 'Integration updated',
  summary: ({ user, data, preData, bold }) =>
    `${user} ${deed({ data, preData })} ${named(data, bold)}`,
});

export const integrationDeleted = defineEvent<IntegrationFacts>({
  type: 'addon-config-deleted',
  label: 'Integration deleted',
  summary: ({ user, preData, bold }) => `${user} deleted ${named(preData, bold)}`,
});
