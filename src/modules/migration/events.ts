import { defineImport } from './define-import.ts';

export const environmentImported = defineImport('environment-import', 'environment');
export const tagTypeImported = defineImport('tag-type-import', 'tag type');
export const tagImported = defineImport('tag-import', 'tag');
export const strategyTypeImported = defineImport('strategy-import', 'strategy type');
export const segmentImported = defineImport('segment-import', 'segment');
export const projectImported = defineImport('project-import', 'project');
export const featureImported = defineImport('feature-import', 'feature');
