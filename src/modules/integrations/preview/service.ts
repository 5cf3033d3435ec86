import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { createSlices } from '../../../platform/slices.ts';
import { nameOwners } from '../../flags/features/index.ts';
import { toFilter } from '../configuration/filters.ts';
import { getProvider, splitParameters } from '../configuration/input.ts';
import { given, toTexts } from '../configuration/parameters.ts';
import { matches } from '../delivery/matching.ts';
import type { IntegrationEvent, Parameters, Provider } from '../providers/provider.ts';
import { examinedEvents, type Preview, type PreviewInput, shownMessages } from './contract.ts';
import { listRecentEvents, listWholeEvents } from './queries.ts';

const composed = (
  provider: Provider,
  event: IntegrationEvent,
  parameters: Parameters,
  baseUrl: string,
): Pick<Preview['messages'][number], 'message' | 'problem'> => {
  try {
    const message = provider.compose(event, parameters, { baseUrl });
    return { message: provider.toRecord?.(message) ?? message };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

/** Which of the newest events that the reader may see the filters match, and what would have been sent. */
export async function preview(
  db: Db,
  actor: Pick<Actor, 'sees'>,
  input: PreviewInput,
  baseUrl: string,
): Promise<Preview> {
  const provider = getProvider(input.provider);
  const { plain } = splitParameters(provider, given(toTexts(input.parameters ?? {})));
  const filters = {
    enabled: true,
    events: input.events,
    projects: toFilter(input.projects),
    environments: toFilter(input.environments),
    tags: input.tags ?? [],
    namedAfter: 0,
  };
  const recent = await listRecentEvents(db, actor.sees, examinedEvents);
  // A project in the filter is the one that has the id now.
  const matched = recent.filter(({ isCurrent, ...event }) =>
    matches(filters, { ...event, projectDeletedAt: isCurrent ? 0 : 1 }),
  );
  const shown = await listWholeEvents(
    db,
    matched.slice(0, shownMessages).map(({ id }) => id),
  );
  const slices = createSlices();
  const messages: Preview['messages'] = [];
  for (const { event, ownerNames } of shown) {
    // A template may take 20,000 steps for each.
    await slices.pause();
    const sent = { ...event, summary: nameOwners(event.summary, ownerNames) };
    messages.push({ event, ...composed(provider, sent, plain, baseUrl) });
  }
  return { examined: recent.length, matched: matched.length, messages };
}
