import { defineModule } from '../../../platform/module.ts';
import { exportUseCase } from './export/routes.ts';
import { importUseCase } from './import/routes.ts';

export { readExport } from './export/service.ts';
export { importFeatures, refuseUnreadable } from './import/service.ts';

export const importExport = defineModule({
  name: 'import-export',
  useCases: [exportUseCase, importUseCase],
});
