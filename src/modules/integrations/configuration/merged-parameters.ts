import type { Fault } from '../../../platform/errors.ts';
import type { ParameterDefinition, Parameters, Provider } from '../providers/provider.ts';
import { stars } from './integration-schema.ts';
import {
  isEmpty,
  isKept,
  parameterFault,
  providerFaults,
  type SentParameters,
  staysWhenLeftOut,
  texts,
} from './parameters.ts';
import type { StoredIntegration } from './queries.ts';
import { openSecrets } from './sealing.ts';

/** What is stored, as far as the keys that we have open it. */
export interface Opened {
  readonly plain: Parameters;
  readonly secretNames: readonly string[];
  /** Undefined: they were sealed under a key that is not there any more. */
  readonly secrets: Parameters | undefined;
}

export const opened = (keys: readonly Buffer[], integration: StoredIntegration): Opened => ({
  plain: integration.parameters,
  secretNames: integration.secretNames,
  secrets: openSecrets(keys, integration),
});

const storedText = ({ plain, secrets }: Opened, name: string): string | undefined =>
  secrets?.[name] ?? plain[name];

const hasStored = ({ plain, secretNames }: Opened, name: string): boolean =>
  secretNames.includes(name) || plain[name] !== undefined;

/** Of two addresses of one origin each may belong to somebody else: by its path, its query or its user. */
const receiverOf = (address: string | undefined): string | undefined => {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  return url.href;
};

/** Why a secret that a wish wants to keep cannot stay; undefined: it can. */
function whyNot(
  before: Opened,
  { name, type }: ParameterDefinition,
  isForAnother: boolean,
): string | undefined {
  if (!hasStored(before, name)) return `cannot be ${stars}: no secret is stored that could stay`;
  if (storedText(before, name) === undefined) {
    return 'cannot stay: it was encrypted under a key that is not in ENCRYPTION_KEY any more. Enter it again, or send an empty text to take it away';
  }
  // A signing secret is never sent to anybody.
  if (isForAnother && type !== 'url' && !staysWhenLeftOut(name)) {
    return 'must be entered again, since the address is another one: a secret goes only where it was entered for';
  }
  return undefined;
}

/** What a wish makes of the parameters, with all that only what is stored can tell to be wrong. */
export function mergedParameters(
  provider: Provider,
  before: Opened,
  sent: SentParameters,
): { parameters: Parameters; faults: Fault[] } {
  const wished = texts(sent);
  const stays = (definition: ParameterDefinition) =>
    isKept(definition, wished[definition.name]) ||
    (wished[definition.name] === undefined &&
      staysWhenLeftOut(definition.name) &&
      hasStored(before, definition.name));
  const textOf = (definition: ParameterDefinition) =>
    stays(definition) ? storedText(before, definition.name) : wished[definition.name];
  // A secret goes to the address that it was entered for, and to no other that somebody puts in its place.
  const isForAnother = provider.parameters
    .filter(({ type }) => type === 'url')
    .some((each) => receiverOf(textOf(each)) !== receiverOf(storedText(before, each.name)));
  const faults = provider.parameters.filter(stays).flatMap((definition) => {
    const words = whyNot(before, definition, isForAnother);
    return words === undefined ? [] : [parameterFault(definition.name, words)];
  });
  const parameters: Record<string, string> = {};
  for (const definition of provider.parameters) {
    const text = textOf(definition);
    if (text !== undefined && !isEmpty(text)) parameters[definition.name] = text;
  }
  return {
    parameters,
    faults: faults.length > 0 ? faults : providerFaults(provider, parameters),
  };
}

/** The names of parameters that say something else than before, as far as that is known. */
export function changedNames(before: Opened, after: Parameters): string[] {
  const names = new Set([
    ...Object.keys(before.plain),
    ...before.secretNames,
    ...Object.keys(after),
  ]);
  return [...names]
    .filter((name) => storedText(before, name) !== after[name] || isLost(before, name))
    .sort();
}

const isLost = ({ secrets, secretNames }: Opened, name: string) =>
  secrets === undefined && secretNames.includes(name);
