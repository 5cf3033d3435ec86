import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { namingFaults } from '../feature-naming/naming.ts';
import type { ProjectChange } from '../project-schema.ts';
import type { changeContract } from './contract.ts';

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
    const message = `${path} could produce a URL of ${length} characters; at most ${maxUrlLength} are allowed`;
    return [{ path, message }];
  });

export const projectFaults = ({ body }: { body: CheckedChange }) => [
  ...(body.featureNaming ? namingFaults(body.featureNaming, '/body/featureNaming') : []),
  ...linkTemplateFaults(body),
];

export const checks = {
  updateProject: projectFaults,
  updateProjectSettings: projectFaults,
} satisfies Checks<typeof changeContract>;
