import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { changeRequestContract, SetChangeRequestConfig } from './contract.ts';

const enabledFaults = ({ body }: { body: Partial<SetChangeRequestConfig> }): Fault[] => {
  const path = '/body/changeRequestsEnabled';
  return body.changeRequestsEnabled
    ? [
        {
          path,
          message: `${path} must be false: change requests are not supported`,
        },
      ]
    : [];
};

export const checks = {
  setChangeRequestConfig: enabledFaults,
} satisfies Checks<typeof changeRequestContract>;
