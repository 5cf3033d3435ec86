import type { TooltipProps } from '@mantine/core';
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { lazyPart } from './lazy-part.ts';
import { WithCode } from './with-code.tsx';

const Floating = lazyPart(() => import('./floating-tooltip.ts'), 'Tooltip');

interface TargetProps {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void;
}

interface Props extends Pick<TooltipProps, 'multiline' | 'maw' | 'w' | 'position'> {
  readonly label: string | undefined;
  readonly disabled?: boolean;
  readonly children: ReactElement<TargetProps>;
}

const openDelayMs = 300;

/** A dialog focuses its first button when it opens. Its tooltip is shown only to keyboard users. */
let isByKeyboard = false;
for (const type of ['keydown', 'pointerdown']) {
  const learn = () => {
    isByKeyboard = type === 'keydown';
  };
  document.addEventListener(type, learn, { capture: true });
}

/**
 * A tooltip on hover and on keyboard focus. Mantine's tooltip is rendered only then: a
 * page has dozens of them, and each is rendered twice, which was a tenth of the time until a feature was there.
 */
export function Tooltip({ label, disabled = false, children, ...rest }: Props) {
  const { multiline, maw, w, position, ...forTarget } = rest;
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Placed before it is shown: otherwise it would flash in a corner.
  const show = (element: HTMLElement, delayMs: number) => {
    clearTimeout(timer.current);
    setTarget(element);
    timer.current = setTimeout(() => setOpen(true), delayMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
    setTarget(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);
  const isUsed = target !== undefined && !disabled && label !== undefined;
  const own = children.props;
  return (
    <>
      {cloneElement(children, {
        ...forTarget,
        ...(isUsed && isOpen && { 'aria-description': label }),
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event);
          if (event.pointerType === 'mouse') show(event.currentTarget, openDelayMs);
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event);
          hide();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          if (isByKeyboard && event.currentTarget.matches(':focus-visible')) {
            show(event.currentTarget, 0);
          }
        },
        onBlur: (event) => {
          own.onBlur?.(event);
          hide();
        },
      })}
      {isUsed && (
        <Suspense>
          <Floating
            target={target}
            opened={isOpen}
            label={<WithCode text={label} />}
            multiline={multiline ?? false}
            {...(maw !== undefined && { maw })}
            {...(w !== undefined && { w })}
            {...(position !== undefined && { position })}
          />
        </Suspense>
      )}
    </>
  );
}
