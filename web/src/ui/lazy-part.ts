import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import {
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
} from 'react';
import { basePath } from '../api.ts';
import { useTimeZone } from './time-zone.ts';

const againMs = 1_000;

/** Whether the server answers. Then a file that does not load is gone, and waiting does not bring it back. */
const isServerThere = (): Promise<boolean> =>
  fetch(basePath, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A server that is being restarted, or that cannot be reached for a while, is asked again until it answers. */
async function patiently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let wasThere = false; ; ) {
    try {
      return await load();
    } catch (error) {
      if (wasThere) throw error;
      wasThere = await isServerThere();
      if (!wasThere) await new Promise((resume) => setTimeout(resume, againMs));
    }
  }
}

/**
 * A part of a page that is loaded when it is first shown. A failure would take away the whole page, with what was
 * typed in it.
 */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({ default: (await patiently(load))[name] }));

/**
 * A page that is loaded when it is first opened. The router loads the whole document again if a file fails, which
 * without a server shows the error of the browser instead of Burgee. Another time zone renders the page again, with what
 * was typed in it, because few components subscribe to the zone.
 */
export const lazyPage = <
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(
  load: () => Promise<Module>,
  name: Name,
): RouteComponent => {
  const Page = lazyRouteComponent(
    // Pages use the types of the router, which would depend on theirs.
    async () => ({ page: (await patiently(load))[name] as () => ReactNode }),
    'page',
  );
  const ZonedPage = () => {
    useTimeZone();
    return createElement(Page);
  };
  return Object.assign(ZonedPage, { preload: () => Page.preload?.() });
};
