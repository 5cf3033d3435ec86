import { Type } from 'typebox';

/** A list or a text: each keyword applies only to its own type. */
export const projects = Type.Unsafe<'*' | string[]>({
  type: ['string', 'array'],
  pattern: '^\\*$',
  items: { type: 'string', maxLength: 100 },
  maxItems: 1000,
  'x-fault': "must be '*' for all projects that you can see, or a list of at most 1000 project IDs",
  description: "Project IDs, or '*' for all projects that you can see",
});

export const environments = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Environment to evaluate in',
});
