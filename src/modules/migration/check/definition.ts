import { Type } from 'typebox';
import { schemaFaults } from '../../../platform/http/schema-faults.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { Definition } from '../../sdk/evaluation/index.ts';

const text = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }));
const texts = Type.Optional(
  Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
);

const constraints = Type.Optional(
  Type.Array(
    Type.Object({
      contextName: Type.String(),
      operator: Type.String(),
      values: texts,
      value: text,
    }),
  ),
);

const variants = Type.Optional(
  Type.Unsafe<object[] | null>({
    type: ['array', 'null'],
    items: Type.Object({ name: Type.String(), weight: Type.Number(), stickiness: text }),
  }),
);

/** What an evaluator relies on. */
const findFaults = schemaFaults(
  Type.Object({
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        enabled: Type.Boolean(),
        strategies: Type.Optional(
          Type.Array(
            Type.Object({
              name: Type.String(),
              parameters: Type.Optional(Type.Unsafe<object | null>({ type: ['object', 'null'] })),
              constraints,
              variants,
            }),
          ),
        ),
        variants,
      }),
    ),
    segments: Type.Optional(Type.Array(Type.Object({ id: Type.Number(), constraints }))),
  }),
);

/** Refuses what SDKs of another server could not evaluate either. */
export function requireDefinition(value: unknown, where: string): Definition {
  const [fault] = findFaults(value, '');
  if (!fault) return value as Definition;
  const why = fault.message.replace('; you sent ', '; it is ');
  throw new StartError(`The response of ${where} isn't a feature definition: ${why}`);
}
