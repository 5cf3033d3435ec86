import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/db/database.ts';
import { StartError } from '../../../platform/start-error.ts';
import { compile, type Definition } from '../../sdk/evaluation/index.ts';
import { clientJson, featuresIn, readDefinitions, segmentsOf } from '../../sdk/snapshot/index.ts';
import { requireDefinition } from '../check/definition.ts';
import { listFeaturesOutside } from '../queries.ts';
import type { ReadingClient } from '../unleash/client.ts';
import { objectOf, textOrNull, textsOf } from '../unleash/plain.ts';
import { drawContexts, fieldsOf } from './contexts.ts';

interface Difference {
  readonly environment: string;
  readonly feature: string;
  readonly context: unknown;
  readonly there: unknown;
  readonly here: unknown;
}

export interface Verification {
  readonly environment: string;
  readonly features: number;
  readonly contexts: number;
  /** At most one for each feature: the first context that shows it. */
  readonly differences: readonly Difference[];
}

/** What SDKs get from the source. Refuses a token that is not for this environment and for all projects. */
export async function readTheirDefinition(
  client: ReadingClient,
  environment: string,
): Promise<Definition> {
  const found = requireDefinition(await client.get('/api/client/features'), client.url);
  const query = objectOf(objectOf(found).query);
  const own = textOrNull(query.environment);
  if (own !== null && own !== environment) {
    throw new StartError(
      `The token of --client-token ${environment} is for the environment '${own}'.`,
    );
  }
  const projects = textsOf(query.project);
  if (projects.length > 0 && !projects.includes('*')) {
    throw new StartError(
      `The token of --client-token ${environment} is limited to projects ${projects.join(', ')}. Use a token for all projects.`,
    );
  }
  return found;
}

interface OwnDefinition extends Definition {
  /** Features of projects that do not have the environment. SDKs do not get them; from Unleash they get them as off. */
  readonly outside: readonly string[];
}

/** What SDKs get from Burgee, as GET /api/client/features renders it. */
export async function readOwnDefinition(db: Db, environment: string): Promise<OwnDefinition> {
  const { snapshot } = await readDefinitions(db, undefined);
  const features = featuresIn(snapshot, { environment, projects: 'all' });
  const segments = segmentsOf(features, snapshot);
  return {
    features: features.map((feature) => JSON.parse(clientJson(feature))),
    segments: [...segments].map(({ id, name, constraints }) => ({ id, name, constraints })),
    outside: await listFeaturesOutside(db, environment),
  };
}

/** One moment and one chance for both sides, so that only the definitions can differ. */
const sources = (now: Date) => ({ now: () => now, chance: () => 0.5 });

/** Evaluates every feature in generated contexts on both sides, and names each that differs. */
export function compareDefinitions(
  environment: string,
  there: Definition,
  here: OwnDefinition,
  { count, now }: { readonly count: number; readonly now: Date },
): Verification {
  const [theirs, own] = [compile(there, sources(now)), compile(here, sources(now))];
  const names = new Set([...there.features, ...here.features].map(({ name }) => name));
  const fields = fieldsOf({
    features: [...there.features, ...here.features],
    segments: [...(there.segments ?? []), ...(here.segments ?? [])],
  });
  const outside = new Set(here.outside);
  const differences = new Map<string, Difference>();
  let contexts = 0;
  for (const context of drawContexts(fields, count)) {
    contexts += 1;
    const onTheirs = new Map(theirs.evaluateAll(context).map((each) => [each.name, each]));
    const onOwn = new Map(own.evaluateAll(context).map((each) => [each.name, each]));
    for (const feature of names) {
      if (differences.has(feature)) continue;
      const [a, b] = [onTheirs.get(feature), onOwn.get(feature)];
      if (isDeepStrictEqual(a, b)) continue;
      if (!b && a && !a.enabled && outside.has(feature)) continue;
      const sides = { there: a ?? null, here: b ?? null };
      differences.set(feature, { environment, feature, context, ...sides });
    }
  }
  return { environment, features: names.size, contexts, differences: [...differences.values()] };
}
