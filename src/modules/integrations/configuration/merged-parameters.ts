import type { Fault } from '../../../platform/errors.ts';
import type { ParameterDefinition, Parameters, Provider } from '../providers/provider.ts';
import { stars } from './integration-schema.ts';
import {
  isEmpty,
  isKeptWhenOmitted,
  keepsSecret,
  parameterFault,
  providerFaults,
  type SentParameters,
  toTexts,
} from './parameters.ts';
import type { StoredIntegration } from './queries.ts';
import { openSecrets } from './sealing.ts';

/** Stored parameters, with secrets as far as a key opens them. */
export interface OpenedParameters {
  readonly plain: Parameters;
  readonly secretNames: readonly string[];
  /** Undefined: they were sealed with a key that is no longer configured. */
  readonly secrets: Parameters | undefined;
}

export const openParameters = (
  keys: readonly Buffer[],
  integration: StoredIntegration,
): OpenedParameters => ({
  plain: integration.parameters,
  secretNames: integration.secretNames,
  secrets: openSecrets(keys, integration),
});

const storedText = ({ plain, secrets }: OpenedParameters, name: string): string | undefined =>
  secrets?.[name] ?? plain[name];

const hasStored = ({ plain, secretNames }: OpenedParameters, name: string): boolean =>
  secretNames.includes(name) || plain[name] !== undefined;

/** Two URLs of one origin may belong to different people: by path, query or user. */
const receiverOf = (address: string | undefined): string | undefined => {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  return url.href;
};

/** Why a secret cannot be kept; undefined: it can. */
function keepFault(
  before: OpenedParameters,
  { name, type }: ParameterDefinition,
  hasNewTarget: boolean,
): string | undefined {
  if (!hasStored(before, name)) return `cannot be ${stars}, because no secret is stored`;
  if (storedText(before, name) === undefined) {
    return 'cannot be decrypted, because its key is no longer in ENCRYPTION_KEY. Enter it again, or send an empty string to remove it';
  }
  // A signing secret is never sent.
  if (hasNewTarget && type !== 'url' && !isKeptWhenOmitted(name)) {
    return 'must be entered again, because the URL has changed';
  }
  return undefined;
}

/** Merges stored and sent parameters. Returns the faults that need the stored values. */
export function mergeParameters(
  provider: Provider,
  before: OpenedParameters,
  sent: SentParameters,
): { parameters: Parameters; faults: Fault[] } {
  const sentTexts = toTexts(sent);
  const isKept = (definition: ParameterDefinition) =>
    keepsSecret(definition, sentTexts[definition.name]) ||
    (sentTexts[definition.name] === undefined &&
      isKeptWhenOmitted(definition.name) &&
      hasStored(before, definition.name));
  const textOf = (definition: ParameterDefinition) =>
    isKept(definition) ? storedText(before, definition.name) : sentTexts[definition.name];
  // A secret is sent only to the URL it was entered for. A new URL needs it again.
  const isForAnother = provider.parameters
    .filter(({ type }) => type === 'url')
    .some((each) => receiverOf(textOf(each)) !== receiverOf(storedText(before, each.name)));
  const faults = provider.parameters.filter(isKept).flatMap((definition) => {
    const words = keepFault(before, definition, isForAnother);
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

/** The names of parameters whose values differ, as far as that is known. */
export function changedNames(before: OpenedParameters, after: Parameters): string[] {
  const names = new Set([
    ...Object.keys(before.plain),
    ...before.secretNames,
    ...Object.keys(after),
  ]);
  return [...names]
    .filter((name) => storedText(before, name) !== after[name] || isLost(before, name))
    .sort();
}

const isLost = ({ secrets, secretNames }: OpenedParameters, name: string) =>
  secrets === undefined && secretNames.includes(name);
