import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const againMs = 1_000;
const maxTries = 30;

async function patiently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      if (tries === maxTries) throw error;
      await new Promise((resume) => setTimeout(resume, againMs));
    }
  }
}

/**
 * A part of a page that is loaded when it is first shown. A server that is being restarted is asked again: a failure
 * would take away the whole page, with what was typed in it.
 */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({ default: (await patiently(load))[name] }));
