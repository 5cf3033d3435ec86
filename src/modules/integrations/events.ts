import { isDeepStrictEqual } from 'node:util';
import { defineEvent, type EventTag, type Words } from '../events/index.ts';
import type { Responsible } from './configuration/responsible.ts';
import { findProvider } from './providers/catalogue.ts';

/** An integration as events store it: the names of its parameters, never their values. */
export interface IntegrationEventData {
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
  /** The integration reports only what this account sees. */
  readonly responsible: Responsible;
  /** Projects deleted since the filter was set. A new project with such an id is not reported. */
  readonly deletedProjects?: readonly string[];
  readonly paused: boolean;
  readonly createdAt: string;
  /** The names of changed parameters. */
  readonly changedParameters?: readonly string[];
  /** Why it was disabled automatically. */
  readonly reason?: string;
}

/** A summary quotes only the start of a long description. */
const maxDescription = 80;

/** The description, else the name of the provider and the id. */
function named(facts: Words['data'], bold: Words['bold']): string {
  const letters = Array.from(String(facts.description ?? ''));
  const short = letters.slice(0, maxDescription).join('').trim();
  const end = letters.length > maxDescription ? '…' : '';
  const provider = String(facts.provider);
  const fallback = `${findProvider(provider)?.displayName ?? provider} ${facts.id}`;
  return `integration ${bold(short === '' ? fallback : `${short}${end}`)}`;
}

/** The verb of the summary, if one word describes the change. */
function verbOf({ data, preData }: Pick<Words, 'data' | 'preData'>): string {
  const changed = Object.keys({ ...preData, ...data }).filter(
    (key) => key !== 'reason' && !isDeepStrictEqual(data[key], preData[key]),
  );
  if (changed.length !== 1) return 'updated';
  if (changed[0] === 'paused') return data.paused ? 'paused' : 'resumed';
  if (changed[0] === 'enabled') return data.enabled ? 'enabled' : 'disabled';
  return 'updated';
}

export const integrationCreated = defineEvent<IntegrationEventData>({
  type: 'addon-config-created',
  summary: ({ user, data, bold }) => `${user} created ${named(data, bold)}`,
});

export const integrationUpdated = defineEvent<IntegrationEventData>({
  type: 'addon-config-updated',
  summary: ({ user, data, preData, bold, text }) =>
    `${user} ${verbOf({ data, preData })} ${named(data, bold)}${data.reason === undefined ? '' : `: ${text(data.reason)}`}`,
});

export const integrationDeleted = defineEvent<IntegrationEventData>({
  type: 'addon-config-deleted',
  summary: ({ user, preData, bold }) => `${user} deleted ${named(preData, bold)}`,
});
