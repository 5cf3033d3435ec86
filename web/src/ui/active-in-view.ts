import { type RefObject, useEffect, useRef } from 'react';

/** For links in one line that scrolls on a phone: the one of the open page may lie behind the end of the line. */
export function useActiveInView<List extends HTMLElement>(open: string): RefObject<List | null> {
  const list = useRef<List>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[data-active]');
    if (list.current && here)
      list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft - 16;
  }, [open]);
  return list;
}
