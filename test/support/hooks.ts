import { modules } from '../../src/app/modules.ts';
import { hookRunner } from '../../src/platform/hooks.ts';

/** The hooks of all modules, for tests that change data without HTTP. */
export const runHook = hookRunner(modules);
