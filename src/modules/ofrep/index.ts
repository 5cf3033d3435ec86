import { defineModule } from '../../platform/module.ts';

/** Decisions as the OpenFeature Remote Evaluation Protocol asks for them. */
export const ofrep = defineModule({ name: 'ofrep', contract: {}, routes: () => undefined });
