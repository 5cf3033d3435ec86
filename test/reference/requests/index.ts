import { featureSteps } from './features.ts';
import { importExportSteps, mixedSteps } from './import-export.ts';
import { lifeSteps } from './lives.ts';
import {
  contextSteps,
  environmentSteps,
  orderSteps,
  segmentSteps,
  strategyTypeSteps,
  tagSteps,
} from './prerequisites.ts';
import { readSteps } from './reads.ts';
import type { Step } from './request.ts';
import { strategySteps } from './strategies.ts';
import { variantSteps } from './variants.ts';

/** All steps in order: later ones build on earlier ones. */
export const steps: readonly Step[] = [
  ...orderSteps,
  ...contextSteps,
  ...segmentSteps,
  ...featureSteps,
  ...tagSteps,
  ...strategyTypeSteps,
  ...environmentSteps,
  ...strategySteps,
  ...variantSteps,
  ...lifeSteps,
  ...importExportSteps,
  ...mixedSteps(),
  ...readSteps,
  { look: 'end' },
];
