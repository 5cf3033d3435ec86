import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { discoverUrlFaults, emailDomainFaults } from './addresses.ts';
import { parseClaimPath } from './claim-path.ts';
import type { contract, OidcInput } from './contract.ts';

function inputFaults(input: OidcInput): Fault[] {
  const { discoverUrl, emailDomains, groupJsonPath } = input;
  const pathFault: Fault = {
    path: '/body/groupJsonPath',
    message:
      '/body/groupJsonPath must be a path such as groups, realm_access.roles or teams[*].name',
  };
  return [
    ...(discoverUrl ? discoverUrlFaults(discoverUrl, '/body/discoverUrl') : []),
    ...(emailDomains ? emailDomainFaults(emailDomains, '/body/emailDomains') : []),
    ...(groupJsonPath && !parseClaimPath(groupJsonPath) ? [pathFault] : []),
  ];
}

export const checks = {
  setOidcSettings: ({ body }) => inputFaults(body),
  testOidcSettings: ({ body }) => inputFaults(body),
} satisfies Checks<typeof contract>;
