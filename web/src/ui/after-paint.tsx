import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { useFirstView } from '../first-view.ts';

interface Props {
  readonly children: ReactNode;
  /** Keeps their place. */
  readonly before?: ReactNode;
}

/** Renders less important parts after the first paint, so that the rest of a page appears sooner. */
export function AfterPaint({ children, before }: Props) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted ? children : before;
}

/** Renders parts that load scripts and data of their own once the first view has its data. */
export const AfterFirstView = ({ children, before }: Props) => (useFirstView() ? children : before);
