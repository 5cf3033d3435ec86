import { defineModule } from '../../../platform/module.ts';
import { deleteEdgesBefore } from './queries.ts';
import { reportEdgeUseCase } from './report-routes.ts';
import { listEdgesUseCase } from './routes.ts';
import { listedMs } from './stored-edges.ts';

import './tables.ts';

export { createStoredEdges } from './stored-edges.ts';

/** The edges that serve SDKs with the state of this installation. */
export const edges = defineModule({
  name: 'edges',
  useCases: [reportEdgeUseCase, listEdgesUseCase],
  jobs: ({ writeDb, clock }) => [
    {
      name: 'edges: delete silent ones',
      everyMs: 600_000,
      run: () => deleteEdgesBefore(writeDb, new Date(clock().getTime() - listedMs)),
    },
  ],
});
