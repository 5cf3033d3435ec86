import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { changeRequestContract, type SetChangeRequestConfig } from './contract.ts';

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

export const changeRequestEndpoints = checked(changeRequestContract, {
  setChangeRequestConfig: enabledFaults,
});
