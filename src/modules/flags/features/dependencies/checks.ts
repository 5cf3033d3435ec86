import type { Static } from 'typebox';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { dependencyContract, SetDependencySchema } from './contract.ts';

const dependencyFaults = ({ enabled: on, variants: named }: Partial<SetDependency>) =>
  on === false && named && named.length > 0
    ? [
        {
          path: '/body/variants',
          message: '/body/variants must be empty, because a disabled parent has no variant',
        },
      ]
    : [];

type SetDependency = Static<typeof SetDependencySchema>;

export const checks = {
  addDependency: ({ body }) => dependencyFaults(body),
} satisfies Checks<typeof dependencyContract>;
