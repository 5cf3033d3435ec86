import type { Fault } from '../../../platform/errors.ts';
import { checked } from '../../../platform/http/checked.ts';
import { constraintFaults } from '../context-fields/index.ts';
import { strategyFaults } from '../strategy-types/index.ts';
import { changeRequestContract, type SetChangeRequestConfig } from './contract/change-requests.ts';
import { environmentContract } from './contract/environments.ts';
import { type ProjectChange, projectContract } from './contract/project.ts';
import { namingFaults } from './naming.ts';

const checkNaming = ({ body }: { body: Pick<ProjectChange, 'featureNaming'> }) =>
  body.featureNaming ? namingFaults(body.featureNaming, '/body/featureNaming') : [];

const enabledFaults = ({ body }: { body: Partial<SetChangeRequestConfig> }): Fault[] => {
  const path = '/body/changeRequestsEnabled';
  return body.changeRequestsEnabled
    ? [
        {
          path,
          message: `${path} must be false: there are no change requests yet, and nothing would be guarded`,
        },
      ]
    : [];
};

export const environmentEndpoints = checked(environmentContract, {
  setDefaultStrategy: ({ body }) => [
    ...strategyFaults(body),
    ...constraintFaults(body.constraints ?? [], '/body/constraints'),
  ],
});

export const projectEndpoints = checked(projectContract, {
  createProject: checkNaming,
  updateProject: checkNaming,
  updateProjectSettings: checkNaming,
});

export const changeRequestEndpoints = checked(changeRequestContract, {
  setChangeRequestConfig: enabledFaults,
});
