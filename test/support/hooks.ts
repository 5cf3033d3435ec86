import { modules } from '../../src/app/modules.ts';
import { hookRunner } from '../../src/platform/hooks.ts';

/** Lets all modules take part, for tests that change things below HTTP. */
export const runHook = hookRunner(modules);
