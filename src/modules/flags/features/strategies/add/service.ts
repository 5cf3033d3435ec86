import type { Tx } from '../../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../../platform/errors.ts';
import type { SetStrategy } from '../../../../catalogue/strategy-types/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { addParts } from '../../assemble/service.ts';
import {
  type FeatureInEnvironment,
  getFeatureInEnvironment,
} from '../../environments/feature-in-environment.ts';
import type { Strategy } from '../../feature-schema.ts';
import { storedInputFaults, strategyFromInput } from '../input.ts';
import { maxStrategies } from './contract.ts';

/** `id`: that of a strategy that comes back. */
export async function addStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  input: SetStrategy,
  id?: string,
): Promise<Strategy> {
  const owner = await getFeatureInEnvironment(tx, address);
  const { feature, environment } = owner;
  const faults = await storedInputFaults(tx, input, feature.project, '/body');
  if (faults.length > 0) throw badData(faults);
  refuseTooMany(owner);
  const strategy = {
    ...strategyFromInput(input, owner),
    sortOrder: input.sortOrder ?? owner.state.nextSortOrder,
  };
  const [added] = await addParts(tx, [{ feature, eventOrder: [[{ environment, strategy, id }]] }]);
  return added as Strategy;
}

/** For one strategy more. */
export function refuseTooMany({
  feature,
  environment,
  state,
}: {
  readonly feature: Pick<FeatureInEnvironment['feature'], 'name'>;
  readonly environment: string;
  readonly state: Pick<FeatureInEnvironment['state'], 'strategies'>;
}): void {
  if (state.strategies < maxStrategies) return;
  throw invalidOperation(
    `The feature '${feature.name}' has ${state.strategies} strategies in the environment '${environment}': at most ${maxStrategies} are allowed`,
  );
}
