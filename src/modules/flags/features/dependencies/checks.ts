import type { Static } from 'typebox';
import { checked } from '../../../../platform/http/checked.ts';
import { dependencyContract, type SetDependencySchema } from './contract.ts';

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

export const dependencyEndpoints = checked(dependencyContract, {
  addDependency: ({ body }) => dependencyFaults(body),
});
