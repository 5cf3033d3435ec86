import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import type { ProjectChange, projectContract } from './contract.ts';
import { namingFaults } from './feature-naming/naming.ts';

type CheckedChange = Pick<ProjectChange, 'featureNaming' | 'linkTemplates'>;

const maxUrlLength = 2000;
/** As long as the names of features and projects may be. */
const longestName = 'x'.repeat(100);

/** Every new feature gets the links, and its event contains them. */
const linkTemplateFaults = ({ linkTemplates = [] }: CheckedChange): Fault[] =>
  linkTemplates.flatMap(({ urlTemplate }, index) => {
    const { length } = urlTemplate.replaceAll(/\{\{(feature|project)\}\}/g, longestName);
    if (length <= maxUrlLength) return [];
    const path = `/body/linkTemplates/${index}/urlTemplate`;
    const message = `${path} could give an address of ${length} characters; at most ${maxUrlLength} are allowed`;
    return [{ path, message }];
  });

const checkProject = ({ body }: { body: CheckedChange }) => [
  ...(body.featureNaming ? namingFaults(body.featureNaming, '/body/featureNaming') : []),
  ...linkTemplateFaults(body),
];

export const checks = {
  createProject: checkProject,
  updateProject: checkProject,
  updateProjectSettings: checkProject,
} satisfies Checks<typeof projectContract>;
