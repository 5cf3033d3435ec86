import type { Checks } from '../../../../platform/http/checked.ts';
import { passwordFaults } from '../../users/index.ts';
import type { resetContract } from './contract.ts';

export const checks = {
  validatePassword: ({ body }) =>
    body.password === undefined ? [] : passwordFaults(body.password, {}, '/body/password'),
} satisfies Checks<typeof resetContract>;
