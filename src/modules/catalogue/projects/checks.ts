import { checked } from '../../../platform/http/checked.ts';
import { type ProjectChange, projectContract } from './contract.ts';
import { namingFaults } from './feature-naming/naming.ts';

const checkNaming = ({ body }: { body: Pick<ProjectChange, 'featureNaming'> }) =>
  body.featureNaming ? namingFaults(body.featureNaming, '/body/featureNaming') : [];

export const projectEndpoints = checked(projectContract, {
  createProject: checkNaming,
  updateProject: checkNaming,
  updateProjectSettings: checkNaming,
});
