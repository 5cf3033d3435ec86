import { defineModule } from '../../../platform/module.ts';
import { deletingProject, removingEnvironment } from '../../catalogue/projects/index.ts';
import { cloningFeatures } from '../../flags/features/index.ts';
import { guardPlaces } from './guard.ts';

export { applyWithApproval, findProposal, guardRecorded } from './guard.ts';

export const guard = defineModule({
  name: 'guard',
  useCases: [],
  hooks: [
    removingEnvironment.handledBy((tx, place) => guardPlaces(tx, { places: [place] })),
    deletingProject.handledBy((tx, { id }) => guardPlaces(tx, { projects: [id] })),
    cloningFeatures.handledBy((tx, { project, environments }) =>
      guardPlaces(tx, { places: environments.map((environment) => ({ project, environment })) }),
    ),
  ],
});
