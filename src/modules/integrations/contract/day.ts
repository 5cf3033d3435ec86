import { Type } from 'typebox';

export const day = (what: string) =>
  Type.String({
    pattern: '^(IS:)?\\d{4}-\\d{2}-\\d{2}$',
    description: `${what}, a UTC day: \`yyyy-MM-dd\``,
    'x-fault': 'must be a day, such as 2026-01-31',
  });
