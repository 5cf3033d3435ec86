import type { Static } from 'typebox';
import type { Db } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { listForeignSegments } from '../../../catalogue/segments/index.ts';
import {
  completeVariants,
  findDefaultStickiness,
  strategyFromInput,
} from '../../../flags/features/index.ts';
import type { DefinedFeature, Snapshot } from '../../snapshot/index.ts';
import { combinations, type FlatContext, readContext } from '../context.ts';
import { decisionOf } from '../decision.ts';
import { createExplain, type PlaygroundSources, refuseTooMuch } from '../environments.ts';
import { type Pieces, separated, withEnvironment } from '../service.ts';
import type { unsavedContract } from './contract.ts';

type Unsaved = Static<NonNullable<(typeof unsavedContract.evaluateUnsaved)['body']>>;

interface Address {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** The features of the project: parents are among them. */
function featuresOf({ environments }: Snapshot, { project, environment }: Address) {
  const all = environments.get(environment)?.features ?? new Map<string, DefinedFeature>();
  return new Map([...all].filter(([, feature]) => feature.project === project));
}

/** The feature as it would be stored. */
function changed(
  { definition, ...saved }: DefinedFeature,
  { enabled, strategies, variants, dependencies }: Unsaved,
  defaultStickiness: string,
): DefinedFeature {
  const owner = { feature: { name: saved.name }, state: { defaultStickiness } };
  return {
    ...saved,
    definition: {
      ...definition,
      ...(enabled !== undefined && { enabled }),
      ...(strategies && {
        strategies: strategies.map(({ id, ...strategy }) => ({
          ...(id !== undefined && { id }),
          ...strategyFromInput(strategy, owner),
        })),
      }),
      ...(variants && { variants: completeVariants(variants, defaultStickiness) }),
      ...(dependencies && { dependencies }),
    },
  };
}

/** The constraints of a segment that belongs to another project would be in the explanation. */
async function refuseForeignSegments(
  db: Db,
  { strategies = [] }: Unsaved,
  project: string,
): Promise<void> {
  const used = strategies.map(({ segments = [] }) => segments);
  const foreign = new Set(await listForeignSegments(db, [...new Set(used.flat())], project));
  const faults = used.flatMap((ids, strategy) =>
    ids.flatMap((id, index) => {
      const path = `/body/strategies/${strategy}/segments/${index}`;
      const message = `${path}: segment ${id} doesn't exist or isn't available in this project`;
      return foreign.has(id) ? [{ path, message }] : [];
    }),
  );
  if (faults.length > 0) throw badData(faults);
}

/** Evaluates a feature as it is, and as it would be. */
export async function evaluateUnsaved(
  db: Db,
  address: Address,
  input: Unsaved,
  sources: PlaygroundSources,
): Promise<Pieces> {
  const { project, featureName, environment } = address;
  const features = featuresOf(sources.snapshot, address);
  const saved = features.get(featureName);
  if (!saved) throw notFound('feature', featureName);
  await refuseForeignSegments(db, input, project);
  const unsaved = changed(saved, input, await findDefaultStickiness(db, project));
  const { fields, invalid } = readContext(input.context, 'several values');
  const states = [
    { name: 'saved', feature: saved, explain: createExplain(features, sources) },
    { name: 'unsaved', feature: unsaved, explain: createExplain(features, sources) },
  ];
  const evaluated = states.map(({ feature }) => ({ features: new Map([[featureName, feature]]) }));
  await refuseTooMuch(evaluated, [fields], sources);

  function* decisions(combination: FlatContext): Pieces {
    const context = withEnvironment(address, combination);
    yield '{';
    yield* separated(states, function* ({ name, feature, explain }) {
      const explanation = yield* explain(feature, context);
      const decision = decisionOf({ feature, environment, explanation });
      yield `"${name}":${JSON.stringify({ ...decision, environment, context })}`;
    });
    yield '}';
  }

  function* answer(): Pieces {
    yield '{"decisions":[';
    yield* separated(combinations(fields), decisions);
    const warnings = { invalidContextProperties: invalid };
    yield invalid.length === 0 ? ']}' : `],"warnings":${JSON.stringify(warnings)}}`;
  }
  return answer();
}
