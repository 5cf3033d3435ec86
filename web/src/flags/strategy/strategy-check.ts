import { parameterFaults } from '../../../../src/modules/catalogue/strategy-types/parameters.ts';
import { weightFaults } from '../../../../src/modules/catalogue/strategy-types/variant-weights.ts';
import type { Response } from '../../api.ts';
import { capitalized, invalidJson } from '../../ui/format.ts';
import { isSame } from '../../ui/is-same.ts';
import { type ContextField, constraintFault } from './constraint-check.ts';
import type { StrategyContent, Variant } from './strategy-sentence.ts';

export type StrategyType = Response<'GET /api/admin/strategies'>['strategies'][number];

/** What is wrong, and in which part of the editor. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Why the payload of a variant is not what its type says. */
export function payloadFault(payload: Variant['payload']): string | undefined {
  if (!payload) return undefined;
  const { type, value } = payload;
  if (type === 'json') {
    try {
      JSON.parse(value);
      return undefined;
    } catch (error) {
      return invalidJson(error);
    }
  }
  if (type === 'number') {
    return value.trim() !== '' && Number.isFinite(Number(value)) ? undefined : 'Enter a number';
  }
  return undefined;
}

/** Why an override cannot be saved, and which of its parts is meant. */
export function overrideFault({
  contextName,
  values,
}: {
  readonly contextName: string;
  readonly values: readonly string[];
}): { readonly of: 'field' | 'values'; readonly message: string } | undefined {
  if (contextName === '') return { of: 'field', message: 'Select a context field' };
  return values.length === 0 ? { of: 'values', message: 'Add at least one value' } : undefined;
}

interface MaybeOverridden extends Variant {
  readonly overrides?: readonly {
    readonly contextName: string;
    readonly values: readonly string[];
  }[];
}

export function variantProblems(variants: readonly MaybeOverridden[]): Problem[] {
  const names = new Set<string>();
  const problems = variants.flatMap((variant, index): Problem[] => {
    const isTwice = names.has(variant.name);
    names.add(variant.name);
    const fault = payloadFault(variant.payload);
    return [
      ...(variant.name.trim() === ''
        ? [{ path: `variants/${index}/name`, message: 'Enter a variant name' }]
        : []),
      ...(isTwice && variant.name.trim() !== ''
        ? [
            {
              path: `variants/${index}/name`,
              message: `Another variant is already named ${variant.name}`,
            },
          ]
        : []),
      ...(fault === undefined ? [] : [{ path: `variants/${index}/payload`, message: fault }]),
      ...(variant.overrides ?? []).flatMap((override) => {
        const found = overrideFault(override);
        return found
          ? [
              {
                path: `variants/${index}/overrides`,
                message: `Override of ${variant.name}: ${found.message}`,
              },
            ]
          : [];
      }),
    ];
  });
  const hasWrongWeights = weightFaults(variants, '').some(({ path }) => path === '');
  return hasWrongWeights
    ? [
        ...problems,
        {
          path: 'variants',
          message:
            "Fixed weights can't exceed 100%. If all weights are fixed, they must add up to 100%.",
        },
      ]
    : problems;
}

interface Rules {
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly types: ReadonlyMap<string, Pick<StrategyType, 'parameters'>>;
}

/** What keeps a strategy from being saved. `saved` is the one that is stored. */
export function strategyProblems(
  content: StrategyContent,
  { fields, types }: Rules,
  saved?: StrategyContent,
): Problem[] {
  const type = types.get(content.name);
  const parameters = type
    ? parameterFaults(type.parameters, content.parameters, '').map(({ path = '', message }) => ({
        path: `parameters${path}`,
        message: message.startsWith(`${path} is missing`)
          ? 'Required'
          : capitalized(message.slice(path.length + 1).replace(/; you sent.*$/s, '')),
      }))
    : [];
  const constraints = content.constraints.flatMap((constraint, index) => {
    const isStored = saved?.constraints.some((each) => isSame(each, constraint)) ?? false;
    const message = constraintFault(constraint, fields.get(constraint.contextName), isStored);
    return message === undefined ? [] : [{ path: `constraints/${index}`, message }];
  });
  return [...parameters, ...constraints, ...variantProblems(content.variants)];
}
