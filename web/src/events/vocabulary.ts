import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { eventTypes } from '../../../src/modules/events/event-types-schema.ts';
import { actorName, type Directory, system } from '../directory.ts';
import { useMe } from '../me.ts';
import { read } from '../queries.ts';
import { useTimeZone } from '../ui/time-zone.ts';
import { useDirectory } from '../use-directory.ts';
import type { Choices } from './query/completion.ts';
import { parse } from './query/grammar.ts';
import { type Creator, type Translation, translate, type Vocabulary } from './query/translate.ts';
import type { LogScope } from './scope.ts';
import { labelOf } from './sentence.ts';

/** Names change rarely, and every event would invalidate them. */
const keptFor = { staleTime: 'static', gcTime: 10 * 60_000 } as const;

/** Read only once they are needed: the log itself shows events without them. */
const useNames = (needs: (kind: 'env' | 'actor') => boolean) => {
  const projects = useQuery(read('GET /api/admin/projects', {}));
  const environments = useQuery({
    ...read('GET /api/admin/environments', {}),
    enabled: needs('env'),
  });
  const creators = useQuery({
    ...read('GET /api/admin/event-creators', {}),
    ...keptFor,
    enabled: needs('actor'),
  });
  return { projects, environments, creators };
};

/** Who the log can be filtered by, each once, with the name that they have now. */
function actorsOf(creators: readonly Creator[], directory: Directory): Choices['actors'] {
  const actors = creators.map(({ id, name }) =>
    actorName({ createdBy: name, createdByUserId: id }, directory),
  );
  return [...new Map(actors.map((actor) => [actor.name, actor])).values()];
}

const types = eventTypes.map((name) => ({ name, label: labelOf(name) }));

/** `isOpen`: whether someone is about to choose. */
export function useChoices(scope: LogScope, isOpen: boolean): Omit<Choices, 'features'> {
  const { projects, environments, creators } = useNames(() => isOpen);
  const directory = useDirectory();
  return useMemo(
    () => ({
      types,
      projects: (projects.data?.projects ?? []).map(({ id, name }) => ({ id, name })),
      environments: (environments.data?.environments ?? []).map(({ name }) => name),
      actors: actorsOf(creators.data ?? [], directory),
      withoutProject: scope.project !== undefined,
      withoutFeature: scope.feature !== undefined,
    }),
    [projects.data, environments.data, creators.data, directory, scope.project, scope.feature],
  );
}

/**
 * The parameters of a query; undefined until the names in it are loaded. `after:7d` is computed once per query, so that
 * scrolling continues in the same result.
 */
export function useTranslation(q: string): Translation | undefined {
  const { user } = useMe();
  const directory = useDirectory();
  const parsed = useMemo(() => parse(q), [q]);
  const zone = useTimeZone();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is asked at another time, and days depend on the zone
  const now = useMemo(() => new Date(), [q, zone]);
  const names = new Set(
    parsed.tokens.flatMap((token) => (token.kind === 'qualifier' ? [token.name] : [])),
  );
  const { projects, environments, creators } = useNames((kind) => names.has(kind));
  const isReady =
    (!names.has('actor') || !creators.isPending) &&
    (!names.has('project') || !projects.isPending) &&
    (!names.has('env') || !environments.isPending);
  return useMemo(() => {
    if (!isReady) return undefined;
    const vocabulary: Vocabulary = {
      types: eventTypes,
      projects: (projects.data?.projects ?? []).map(({ id }) => id),
      environments: (environments.data?.environments ?? []).map(({ name }) => name),
      creators: [...(creators.data ?? []), ...directory.users, system],
      me: user.id,
      now,
    };
    return translate(parsed, vocabulary);
  }, [isReady, parsed, projects.data, environments.data, creators.data, directory, user.id, now]);
}
